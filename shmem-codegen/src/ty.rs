//! The types of kernels: their Rust names, their C++ names, and the names of the device functions for them.

use std::fmt;

use crate::aggregate::{Array, Enum, Struct, Tuple};

/// Integer types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Int {
    /// `i8`
    I8,
    /// `i16`
    I16,
    /// `i32`
    I32,
    /// `i64`
    I64,
    /// `isize`
    Isize,
    /// `u8`
    U8,
    /// `u16`
    U16,
    /// `u32`
    U32,
    /// `u64`
    U64,
    /// `usize`
    Usize,
}

impl Int {
    const TABLE: [(Int, &'static str, &'static str, u32); 10] = [
        (Int::I8, "i8", "int8_t", 8),
        (Int::I16, "i16", "int16_t", 16),
        (Int::I32, "i32", "int32_t", 32),
        (Int::I64, "i64", "int64_t", 64),
        (Int::Isize, "isize", "int64_t", 64),
        (Int::U8, "u8", "uint8_t", 8),
        (Int::U16, "u16", "uint16_t", 16),
        (Int::U32, "u32", "uint32_t", 32),
        (Int::U64, "u64", "uint64_t", 64),
        (Int::Usize, "usize", "uint64_t", 64),
    ];

    fn row(self) -> &'static (Int, &'static str, &'static str, u32) {
        &Self::TABLE[self as usize]
    }

    /// The type of this Rust name.
    pub fn parse(name: &str) -> Option<Int> {
        Self::TABLE
            .iter()
            .find(|row| row.1 == name)
            .map(|row| row.0)
    }

    /// Rust name.
    pub fn rust(self) -> &'static str {
        self.row().1
    }

    /// C++ name.
    pub fn cpp(self) -> &'static str {
        self.row().2
    }

    /// Width. Every machine here is LP64.
    pub fn bits(self) -> u32 {
        self.row().3
    }

    /// Whether it has a sign.
    pub fn signed(self) -> bool {
        matches!(self, Int::I8 | Int::I16 | Int::I32 | Int::I64 | Int::Isize)
    }

    /// The integer of the same width without a sign.
    pub fn unsigned(self) -> Int {
        match self {
            Int::I8 => Int::U8,
            Int::I16 => Int::U16,
            Int::I32 => Int::U32,
            Int::I64 => Int::U64,
            Int::Isize => Int::Usize,
            other => other,
        }
    }

    /// Whether C++ promotes it to int before it computes.
    pub fn promotes(self) -> bool {
        self.bits() < 32
    }

    /// Largest value.
    pub fn max(self) -> u128 {
        (1_u128 << (self.bits() - u32::from(self.signed()))) - 1
    }
}

/// Float types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Float {
    /// `half::f16`
    F16,
    /// `half::bf16`
    Bf16,
    /// `f32`
    F32,
    /// `f64`
    F64,
}

impl Float {
    /// Rust name.
    pub fn rust(self) -> &'static str {
        match self {
            Float::F16 => "f16",
            Float::Bf16 => "bf16",
            Float::F32 => "f32",
            Float::F64 => "f64",
        }
    }

    /// C++ name.
    pub fn cpp(self) -> &'static str {
        match self {
            Float::F16 => "half",
            Float::Bf16 => "bfloat16_t",
            Float::F32 => "float",
            Float::F64 => "double",
        }
    }

    /// Size in bytes.
    pub fn bytes(self) -> u64 {
        match self {
            Float::F16 | Float::Bf16 => 2,
            Float::F32 => 4,
            Float::F64 => 8,
        }
    }

    /// Whether it travels as bits in kernel signatures and is only moved.
    pub fn small(self) -> bool {
        matches!(self, Float::F16 | Float::Bf16)
    }
}

/// The element types of device memory: those of `aclshmem_<name>_p` and `_g`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Elem {
    /// An integer, never `isize` or `usize`.
    Int(Int),
    /// A float.
    Float(Float),
    /// `c_char`
    CChar,
}

impl Elem {
    /// The element type of this Rust name.
    pub fn parse(name: &str) -> Option<Elem> {
        match name {
            "f16" => Some(Elem::Float(Float::F16)),
            "bf16" => Some(Elem::Float(Float::Bf16)),
            "f32" => Some(Elem::Float(Float::F32)),
            "f64" => Some(Elem::Float(Float::F64)),
            "c_char" => Some(Elem::CChar),
            "isize" | "usize" => None,
            _ => Int::parse(name).map(Elem::Int),
        }
    }

    /// The `<name>` of `aclshmem_<name>_p`.
    pub fn shmem(self) -> &'static str {
        match self {
            Elem::Float(Float::F16) => "half",
            Elem::Float(Float::Bf16) => "bfloat16",
            Elem::Float(Float::F32) => "float",
            Elem::Float(Float::F64) => "double",
            Elem::CChar => "char",
            Elem::Int(int) => int.cpp().trim_end_matches("_t"),
        }
    }

    /// C++ name.
    pub fn cpp(self) -> &'static str {
        match self {
            Elem::Int(int) => int.cpp(),
            Elem::Float(float) => float.cpp(),
            Elem::CChar => "char",
        }
    }

    /// The scalar type of one element.
    pub fn ty(self) -> Ty {
        match self {
            Elem::Int(int) => Ty::Int(int),
            Elem::Float(float) => Ty::Float(float),
            Elem::CChar => Ty::CChar,
        }
    }
}

impl fmt::Display for Elem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.ty().fmt(f)
    }
}

/// Who reaches a piece of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Space {
    /// The symmetric heap: every PE.
    Symmetric,
    /// Plain device memory: this PE.
    Global,
}

impl fmt::Display for Space {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Space::Symmetric => "Symmetric",
            Space::Global => "Global",
        })
    }
}

/// A view of memory: one cell, or a slice with a length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Memory {
    /// Who reaches it.
    pub space: Space,
    /// Its elements.
    pub elem: Elem,
    /// `[T]` rather than `T`.
    pub slice: bool,
}

/// A type, with inference variables while a body is lowered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ty {
    /// `()`
    Unit,
    /// The type of what does not return; it fits everywhere.
    Never,
    /// `bool`
    Bool,
    /// An integer.
    Int(Int),
    /// A float.
    Float(Float),
    /// `c_char`
    CChar,
    /// A view of memory.
    Memory(Memory),
    /// `(A, B)`
    Tuple(&'static Tuple),
    /// `[T; N]`
    Array(&'static Array),
    /// A struct.
    Struct(&'static Struct),
    /// An enum without fields.
    Enum(&'static Enum),
    /// `&T`, or `&mut T` where true: of a parameter only.
    Ref(&'static Ty, bool),
    /// Not known yet.
    Infer(u32),
    /// Of an expression that was refused: says nothing more.
    Error,
}

impl Ty {
    /// C++ name of a value. Views of memory have none: they are a pointer and, for slices, a length.
    pub fn cpp(self) -> &'static str {
        match self {
            Ty::Bool => "bool",
            Ty::Int(int) => int.cpp(),
            Ty::Float(float) => float.cpp(),
            Ty::CChar => "char",
            Ty::Memory(memory) => memory.elem.cpp(),
            Ty::Tuple(tuple) => tuple.cpp(),
            Ty::Array(array) => array.cpp(),
            Ty::Struct(of) => of.cpp(),
            Ty::Enum(of) => of.cpp(),
            Ty::Ref(to, _) => to.cpp(),
            Ty::Unit | Ty::Never | Ty::Infer(_) | Ty::Error => "void",
        }
    }

    /// The name under which a scalar travels in a kernel's signature.
    pub fn cpp_in_signature(self) -> &'static str {
        match self {
            Ty::Bool => "uint8_t",
            Ty::Float(float) if float.small() => "uint16_t",
            Ty::Memory(Memory {
                elem: Elem::Float(float),
                ..
            }) if float.small() => "uint16_t",
            other => other.cpp(),
        }
    }
}

impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ty::Unit => f.write_str("()"),
            Ty::Never => f.write_str("!"),
            Ty::Bool => f.write_str("bool"),
            Ty::Int(int) => f.write_str(int.rust()),
            Ty::Float(float) => f.write_str(float.rust()),
            Ty::CChar => f.write_str("c_char"),
            Ty::Memory(Memory {
                space,
                elem,
                slice: false,
            }) => write!(f, "{space}<{elem}>"),
            Ty::Memory(Memory {
                space,
                elem,
                slice: true,
            }) => write!(f, "{space}<[{elem}]>"),
            Ty::Tuple(tuple) => match &tuple.elems[..] {
                [one] => write!(f, "({one},)"),
                elems => {
                    let texts: Vec<String> = elems.iter().map(Ty::to_string).collect();
                    write!(f, "({})", texts.join(", "))
                }
            },
            Ty::Array(array) => write!(f, "[{}; {}]", array.elem, array.len),
            Ty::Struct(of) => f.write_str(&of.name),
            Ty::Enum(of) => f.write_str(&of.name),
            Ty::Ref(to, false) => write!(f, "&{to}"),
            Ty::Ref(to, true) => write!(f, "&mut {to}"),
            Ty::Infer(_) => f.write_str("_"),
            Ty::Error => f.write_str("{unknown}"),
        }
    }
}
