//! The wording of every refusal, in one table: code, message, help.
//!
//! Codes are stable. `{}` is filled in by the place that finds the mistake. SHM00xx: source files; SHM01xx: the
//! attribute and the signature; SHM02xx: what a body may say; SHM03xx: types; SHM04xx: the device API; SHM05xx:
//! what an NPU has.

/// One rule.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// Stable code.
    pub code: &'static str,
    /// What is wrong.
    pub message: &'static str,
    /// What to write instead; may be empty.
    pub help: &'static str,
}

macro_rules! rules {
    ($($(#[$doc:meta])* $name:ident = $code:literal, $message:literal, $help:literal;)+) => {
        $($(#[$doc])* pub const $name: Rule = Rule { code: $code, message: $message, help: $help };)+

        /// All rules, in the order of the table.
        #[cfg(test)]
        pub const ALL: &[Rule] = &[$($name),+];
    };
}

rules! {
    // Source files.
    /// A kernel that a macro made.
    IN_MACRO = "SHM0002", "a kernel made by a macro is not supported",
        "kernels are read from the source as it is written: write the function `{}` out in the file";
    /// Nested deeper than the compiler's stack carries it.
    TOO_DEEP = "SHM0003", "this is nested too deeply for a kernel",
        "give a name to a part of it with `let`, or make loops of what repeats";
    UNREAD = "SHM0004", "`{}` names what stands in a file that the build script cannot read",
        "move it to a file without what stands there";
    ANOTHER_FUNCTION = "SHM0005", "to the compiler `{}` is another function than to the build script",
        "call it by a path that macros do not change, such as `crate::module::name`";
    ANOTHER_CONSTANT = "SHM0006", "to the compiler `{}` is another constant than to the build script",
        "name it by a path that macros do not change, such as `crate::module::NAME`";

    CFG_DIFFERS = "SHM0007", "the build script takes `cfg({})` otherwise than the compiler",
        "it knows the cfgs that cargo sets, such as target_os and feature, and the profile's debug_assertions: use one of these";

    // The attribute and the signature.
    OPTION = "SHM0101", "`{}` is not an option of #[shmem_kernel]",
        "the options are `all_blocks`, `vector` and `unchecked`";
    OPTION_TWICE = "SHM0102", "the option `{}` is given twice", "remove one of them";
    NOT_A_FUNCTION = "SHM0103", "#[shmem_kernel] belongs on a function", "put it on `fn name(...) { ... }`";
    ASYNC = "SHM0104", "a kernel cannot be async", "remove `async`: `launch` already returns before the kernel ends";
    CONST_FN = "SHM0105", "a kernel cannot be a const fn", "remove `const`";
    EXTERN_FN = "SHM0106", "a kernel cannot declare an ABI", "remove `extern`: the launcher in the generated text has its own C name";
    GENERIC = "SHM0107", "a kernel cannot have generic parameters or a `where` clause", "write one kernel for each type that you need";
    RETURN_TYPE = "SHM0108", "a kernel returns nothing",
        "remove the return type and store the result through a `Global` or `Symmetric` parameter";
    VARIADIC = "SHM0109", "a kernel cannot be variadic", "list the parameters";
    RECEIVER = "SHM0110", "a kernel cannot be a method", "make it a free function and pass what it needs as parameters";
    PARAM_PATTERN = "SHM0111", "a kernel parameter is a plain name", "write `name: Type`, and take it apart in the body";
    PARAM_TYPE = "SHM0112", "`{}` cannot be a kernel parameter", "{}";
    ELEMENT_TYPE = "SHM0113", "`{}` cannot be an element of {} memory",
        "the element types are f16, bf16, f32, f64, i8, i16, i32, i64, u8, u16, u32, u64 and c_char";
    UNCHECKED_SAFE = "SHM0114", "an unchecked kernel is an `unsafe fn`",
        "write `unsafe fn {}`, and say under `# Safety` what its callers must uphold";
    CHECKED_UNSAFE = "SHM0115", "a checked kernel is a safe fn",
        "remove `unsafe`, or drop the checks with #[shmem_kernel(unchecked)]";
    CFG_TEST = "SHM0116", "a kernel under `cfg(test)` is not supported",
        "the build script does not see cfg(test): use a feature, or keep the kernel outside the test module";
    PARAM_ATTRIBUTE = "SHM0117", "this attribute is not supported on the parameter of a kernel",
        "parameters may have `cfg`, lints and documentation: remove the attribute";
    REFERENCE_PARAM = "SHM0118", "a reference cannot be a kernel parameter",
        "device memory is `Global<{}>`, or `Symmetric<{}>` for what other PEs reach";
    OPTION_VALUE = "SHM0119", "the option `{}` takes no value", "write its name alone: #[shmem_kernel({})]";
    PARAM_TWICE = "SHM0120", "two parameters are called `{}`", "give one of them another name";
    KERNEL_TWICE = "SHM0121", "#[shmem_kernel] stands twice on this function", "remove one of them";
    KERNEL_NAME = "SHM0122", "a kernel cannot be called `{}`",
        "its module would hide the `{}` that kernels name: choose another name";
    OPTION_COMMA = "SHM0123", "a comma is missing after the option `{}`", "put commas between the options";
    CFG_OFF = "SHM0124", "the build script takes `{}` as off and has left this kernel out",
        "it knows the cfgs that cargo sets, such as target_os and feature, and the profile's debug_assertions: use one of these";
    DEVICE_OPTION = "SHM0125", "#[shmem_device] takes no options", "write it alone: a device function is what its kernels are";
    TRACK_CALLER = "SHM0126", "#[track_caller] is not supported on what runs on a device", "remove it: a panic tells the place where it is made";

    // What a body may say.
    STATEMENT = "SHM0201", "{} is not supported in a kernel", "{}";
    NAME = "SHM0202", "`{}` is not a local or parameter of this kernel", "{}";
    MACRO = "SHM0203", "the macro `{}!` is not supported in a kernel", "{}";
    CALL = "SHM0204", "a kernel cannot call {}",
        "it calls the functions of the device API by path, as `shmem::p(...)`, and those of its crate under #[shmem_device]";
    RECURSION = "SHM0205", "what runs on a device cannot call itself", "a device has no stack for recursion: write a loop";
    METHOD = "SHM0206", "`{}` has no method `{}` in a kernel", "{}";
    PATTERN = "SHM0207", "this pattern is not supported in a kernel", "bind a plain name, or take a tuple, array or struct apart: `let (a, b) = (x, y);`";
    ASSIGN_TARGET = "SHM0208", "this cannot be assigned to in a kernel",
        "assign to a local declared with `let mut`; memory is written with `.store(value)`";
    NOT_MUTABLE = "SHM0209", "cannot assign twice to the immutable `{}`", "{}";
    LABEL = "SHM0210", "there is no loop labelled `{}` here", "label an enclosing loop: `{}: loop { ... }`";
    OUTSIDE_LOOP = "SHM0211", "`{}` outside of a loop", "it leaves or continues a `loop`, `while` or `for` of this kernel";
    BREAK_VALUE = "SHM0212", "this loop or block has no value",
        "bind the loop or block with `let`, or assign to a local before the break";
    RETURN_VALUE = "SHM0213", "a kernel returns nothing", "write `return;`";
    FOR_RANGE = "SHM0214", "a `for` of a kernel runs over a range",
        "write `for i in start..end` or `start..=end`; `.rev()` and `.step_by(n)` may follow the range. An array is run over by value";
    NO_INIT = "SHM0215", "a local needs its value where it is declared", "write `let {} = value;`";
    LITERAL = "SHM0216", "{} literals are not supported in a kernel", "use an integer, a float, or true and false";
    LITERAL_RANGE = "SHM0217", "the literal does not fit in `{}`", "{}";
    UNSAFE_NEEDED = "SHM0218", "`at_unchecked` is unsafe",
        "use `.at(i)`, which checks; or write it in an `unsafe` block that says why the index is in range";
    ATTRIBUTE = "SHM0219", "this attribute is not supported here in a kernel",
        "statements, arms, fields and arguments may have `cfg`, lints and documentation: remove the attribute";
    QUESTION_MARK = "SHM0220", "`?` is not supported in a kernel", "a kernel has no Result: test and `return`";
    PANIC_TEXT = "SHM0221", "{} is not supported in the text of a panic",
        "it is a literal with placeholders, `{:?}` and `{name}` among them, for at most three numbers or bools";
    MATCH_PATTERN = "SHM0222", "this pattern is not supported in the `match` of a kernel",
        "write numbers, ranges, `true`, `false`, variants, `a | b`, a name, `_`, or tuples, arrays and structs of these";
    TYPE_NEEDED = "SHM0223", "the type of `{}` is not known", "write it: `let {}: i32;`";
    PRINT_TEXT = "SHM0224", "{} is not supported in the text of a print",
        "it is a literal with placeholders, `{:?}` and `{name}` among them, for numbers and bools";
    PLACEHOLDERS = "SHM0225", "the text takes {}, but {} given", "give one value for each placeholder";
    UNUSED_VALUE = "SHM0226", "this value has no placeholder in the text", "remove it, or add a placeholder for it";
    SHOWN = "SHM0227", "a `{}` cannot stand in a text", "{}";
    CONSTANT_TYPE = "SHM0230", "the constant `{}` of type `{}` is not supported in a kernel", "a kernel sees constants of the types that locals have";
    HIDDEN = "SHM0231", "a macro in this block may define another `{}`", "move the device function out of the body, into a module";
    CFG_TEST_INSIDE = "SHM0232", "`cfg(test)` is not supported inside of a kernel",
        "the build script does not see cfg(test): use a feature";

    // Types.
    MISMATCH = "SHM0301", "mismatched types: expected `{}`, found `{}`", "{}";
    OPERATOR = "SHM0302", "`{}` cannot be applied to `{}`", "{}";
    OPERANDS = "SHM0303", "`{}` needs both sides of one type, but they are `{}` and `{}`",
        "{}";
    CAST = "SHM0304", "`{}` cannot be cast to `{}` in a kernel", "{}";
    TYPE = "SHM0305", "the type `{}` is not supported in a kernel",
        "locals are numbers, bools, views of memory, and tuples, arrays, structs and enums of the crate";
    NO_VALUE = "SHM0306", "this has no value", "what returns nothing stands as a statement of its own";
    CHAR_ARITHMETIC = "SHM0309", "operators on `c_char` other than `==` and `!=` are not supported in a kernel",
        "its sign differs between machines: convert it with `as i8` or `as u8`";
    IF_NO_ELSE = "SHM0310", "`if` without `else` has no value", "add an `else` with the other value";
    NEVER = "SHM0311", "this never has a value: it leaves before", "write it as a statement, with no `let` and no operator around it";

    NOMINAL = "SHM0312", "`{}` cannot be used in a kernel: {}", "{}";
    ARRAY_LENGTH = "SHM0313", "the length of this array is not known", "write a number, or operators on numbers and constants";
    REFERENCE = "SHM0314", "a reference is only passed to a device function", "{}";
    FIELD = "SHM0315", "`{}` has no field `{}`", "{}";
    FIELDS = "SHM0316", "the fields of `{}` do not fit: {}", "{}";
    INDEX = "SHM0317", "`{}` cannot be indexed with `[]`", "{}";
    VARIANT = "SHM0318", "`{}` has no variant `{}`", "{}";

    // The device API.
    ARGUMENTS = "SHM0401", "`{}` takes {}, but {} given", "{}";
    PE_TYPE = "SHM0402", "a PE number is an `i32`, found `{}`", "{}";
    NOT_SYMMETRIC = "SHM0403", "`shmem::{}` needs symmetric memory, found `{}`",
        "other PEs reach only the symmetric heap: {}";
    NOT_ONE_CELL = "SHM0404", "`shmem::{}` takes one cell, found `{}`", "pick one with `.at(i)`";
    BLOCKS = "SHM0405", "`shmem::{}` needs a kernel that runs on all blocks",
        "this kernel runs once per PE: write #[shmem_kernel(all_blocks)]";
    DEVICE_FUNCTION = "SHM0406", "`shmem::{}` is not a function of the device API that kernels can call",
        "there are my_pe, n_pes, block_idx, block_num, p, g, quiet and fence";
    IMPORTED = "SHM0407", "a kernel calls `{}` by its path", "write `shmem::{}`";
    ELEMENT_MISMATCH = "SHM0408", "`shmem::{}` on `{}` takes a value of type `{}`, found `{}`", "{}";

    // What an NPU has.
    STACK = "SHM0501", "the locals of `{}` and of what it calls take {} bytes, and the stack of an AI core has {}",
        "make its arrays smaller, or raise the limit with `.aicore_stack({})` on the Build in build.rs";
    NO_STACK = "SHM0502", "the locals of `{}` and of what it calls take {} bytes, and no stack holds more than {}",
        "keep large tables in device memory, behind a `Global` parameter";
}

#[cfg(test)]
mod tests {
    use super::ALL;

    #[test]
    fn codes_are_unique_and_in_order() {
        for pair in ALL.windows(2) {
            assert!(
                pair[0].code < pair[1].code,
                "{} before {}",
                pair[0].code,
                pair[1].code
            );
        }
    }

    #[test]
    fn messages_are_one_line_without_a_final_stop() {
        for rule in ALL {
            for text in [rule.message, rule.help] {
                assert!(
                    !text.contains('\n') && !text.ends_with('.'),
                    "{}: {text}",
                    rule.code
                );
            }
        }
    }
}
