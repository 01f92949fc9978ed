//! Compiles the kernels of this package.

fn main() {
    shmem_codegen::build();
}
