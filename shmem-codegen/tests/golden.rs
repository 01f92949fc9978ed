//! The generated AscendC, kept as files: one for each option, one for what Rust orders.

mod support;

use support::{Form, emit};

fn text(name: &str, form: Form) -> String {
    let source = include_str!("golden/kernels.rs");
    let (_, emitted) = emit(source, "src/kernels.rs", form)
        .into_iter()
        .find(|(known, _)| known == name)
        .expect("the kernel is in the file");
    let types = emitted.types.iter().map(|(_, text)| text.as_str());
    let functions = emitted.functions.iter().map(|(_, text)| text.as_str());
    let texts = types
        .chain(functions)
        .chain([emitted.kernel.as_str(), &emitted.launcher]);
    texts.collect::<Vec<_>>().join("\n")
}

#[test]
fn a_default_kernel_is_guarded_and_checked() {
    insta::assert_snapshot!(text("ring", Form::Checked));
}

#[test]
fn a_default_kernel_of_a_release_build_wraps() {
    insta::assert_snapshot!(text("ring", Form::Wrapping));
}

#[test]
fn an_unchecked_kernel_reads_as_written_by_hand() {
    insta::assert_snapshot!(text("ring_unchecked", Form::Checked));
}

#[test]
fn an_all_blocks_kernel_has_no_block_guard() {
    insta::assert_snapshot!(text("all_blocks", Form::Checked));
}

#[test]
fn a_vector_kernel_has_no_cube_skip() {
    insta::assert_snapshot!(text("vector", Form::Checked));
}

#[test]
fn options_go_together() {
    insta::assert_snapshot!(text("vector_all_unchecked", Form::Checked));
}

#[test]
fn statements_keep_the_order_of_rust() {
    insta::assert_snapshot!(text("language", Form::Checked));
}

#[test]
fn structs_enums_and_arrays_are_what_c_has() {
    insta::assert_snapshot!(text("aggregates", Form::Checked));
}

#[test]
fn a_print_is_a_number_and_values() {
    insta::assert_snapshot!(text("prints", Form::Checked));
}

#[test]
fn a_print_of_an_unchecked_kernel_takes_no_fault_records() {
    insta::assert_snapshot!(text("prints", Form::Unchecked));
}

#[test]
fn a_kernel_that_calls_what_has_mistakes_has_no_text() {
    let source = "#[shmem_device] fn wrong(x: i32) -> i32 { let a = -2147483649; x + MISSING + a } \
                  #[shmem_device] fn between(x: i32) -> i32 { wrong(x) } \
                  #[shmem_kernel] fn k(out: Global<i32>) { out.store(between(1)); }";
    let emitted = &emit(source, "k.rs", Form::Checked)[0].1;
    assert!(emitted.functions.is_empty() && emitted.launcher.is_empty());
    assert_eq!(
        emitted.kernel,
        "// Not lowered: a device function that it calls has mistakes.\n"
    );
}

/// The lines of a kernel's body that are more than checks.
fn statements(text: &str) -> Vec<String> {
    text.lines()
        .skip_while(|line| !line.starts_with('{'))
        .map(|line| line.trim().to_owned())
        .filter(|line| !line.starts_with('#') && !line.starts_with("shmem_rust::check_"))
        .collect()
}

#[test]
fn the_checked_ring_differs_from_the_unchecked_one_by_checks_alone() {
    let checked = statements(&text("ring", Form::Wrapping));
    let unchecked = statements(&text("ring_unchecked", Form::Wrapping));
    let different: Vec<(&String, &String)> = checked
        .iter()
        .zip(&unchecked)
        .take_while(|(line, _)| !line.starts_with("SHMEM_RUST_EXPORT"))
        .filter(|(checked, unchecked)| checked != unchecked)
        .collect();
    // The peer: an addition that wraps, a remainder that panics.
    assert_eq!(different.len(), 1, "{different:?}");
    assert!(different[0].1 == "const int32_t k_peer = (aclshmem_my_pe() + 1) % aclshmem_n_pes();");
}

#[test]
fn every_element_type_has_its_own_functions() {
    let names = [
        ("f16", "half"),
        ("bf16", "bfloat16"),
        ("f32", "float"),
        ("f64", "double"),
        ("i8", "int8"),
        ("i16", "int16"),
        ("i32", "int32"),
        ("i64", "int64"),
        ("u8", "uint8"),
        ("u16", "uint16"),
        ("u32", "uint32"),
        ("u64", "uint64"),
        ("c_char", "char"),
    ];
    for (rust, shmem) in names {
        let source = format!(
            "#[shmem_kernel] fn k(a: Symmetric<{rust}>, b: Global<{rust}>) {{ shmem::p(a, b.load(), 0); \
             shmem::quiet(); b.store(shmem::g(a, 0)); }}"
        );
        let text = &emit(&source, "k.rs", Form::Checked)[0].1.kernel;
        assert!(
            text.contains(&format!("aclshmem_{shmem}_p(k_a, ")),
            "{rust}: {text}"
        );
        assert!(
            text.contains(&format!("aclshmem_{shmem}_g(k_a, ")),
            "{rust}: {text}"
        );
        assert_eq!(
            text.matches("aclshmem_quiet();").count(),
            1,
            "{rust}: {text}"
        );
    }
}

#[test]
fn braces_do_not_change_when_a_value_is_made() {
    let source = "#[shmem_kernel]
        fn copy(cells: Symmetric<[u16]>, i: usize) {
            shmem::p(unsafe { cells.at_unchecked(1 % i) }, shmem::g(cells.at(0), 0), 0);
        }";
    let (_, emitted) = emit(source, "kernels.rs", Form::Checked).remove(0);
    let at = |part: &str| emitted.kernel.find(part).expect(part);
    assert!(
        at("shmem_rust::rem") < at("check_index"),
        "{}",
        emitted.kernel
    );
}

#[test]
fn the_bits_of_a_float_are_as_wide_as_the_float() {
    let source = "#[shmem_kernel]
        fn bits(cell: Global<u16>) {
            cell.store(f16::from_bits({ 0u16 }).to_bits());
            cell.store(f16::from_bits(7).to_bits());
        }";
    let (_, emitted) = emit(source, "kernels.rs", Form::Checked).remove(0);
    for bits in [
        "(half, static_cast<uint16_t>(0))",
        "(half, static_cast<uint16_t>(7))",
    ] {
        assert!(emitted.kernel.contains(bits), "{}", emitted.kernel);
    }
}

#[test]
fn a_parameter_is_not_used_by_a_field_or_variant_of_its_name() {
    let source = "#[derive(Clone, Copy)]
        struct Pair { n: i32 }
        #[derive(Clone, Copy)]
        enum Mode { Off, On }
        #[shmem_kernel]
        fn field(n: i32, On: i32, mode: Mode, cell: Global<i32>) {
            let pair = Pair { n: cell.load() };
            cell.store(match mode { Mode::On => pair.n, Mode::Off => 0 });
        }";
    let (_, emitted) = emit(source, "kernels.rs", Form::Checked).remove(0);
    for name in ["k_n", "k_On"] {
        let unused = format!("[[maybe_unused]] int32_t {name},");
        assert!(emitted.kernel.contains(&unused), "{}", emitted.kernel);
    }
}
