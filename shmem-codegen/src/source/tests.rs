//! Finding kernels.

use super::*;

fn names(text: &str) -> (Vec<String>, Scan) {
    let file = syn::parse_file(text).unwrap();
    let scan = scan(&file, &|predicate| Some(predicate.path().is_ident("on")));
    let names = scan
        .kernels
        .iter()
        .map(|kernel| format!("{}::{}", kernel.path.join("::"), kernel.item.sig.ident));
    (names.collect(), scan)
}

#[test]
fn kernels_are_found_wherever_functions_may_stand() {
    let (names, scan) = names(
        "mod a { pub mod b { #[shmem_kernel(vector)] pub fn one() {} } #[path = \"x.rs\"] mod c; }\n\
         fn outer() { #[shmem::shmem_kernel] fn two() {} }\n\
         impl T { #[shmem_kernel] fn three() {} fn f() { #[crate::again::shmem_kernel] fn four() {} } }\n\
         const _: () = { #[shmem_kernel] fn five() {} };\n\
         macro_rules! m { () => { #[shmem_kernel] fn six() {} } }",
    );
    assert_eq!(names, ["a::b::one", "outer::two", "::four", "::five"]);
    assert_eq!(scan.kernels[0].arguments.to_string(), "vector");
    let [module] = &scan.modules[..] else {
        panic!("{:?}", scan.modules)
    };
    assert_eq!(module.name, "c");
    assert_eq!(module.path.as_deref(), Some("x.rs"));
    assert_eq!(module.parents[0].name, "a");
}

#[test]
fn what_a_cfg_takes_away_is_passed_over() {
    let (found, scan) = names(
        "#[cfg(off)] mod a { #[shmem_kernel] fn no() {} }\n\
         mod b { #![cfg(off)] #[shmem_kernel] fn no() {} mod no; }\n\
         #[cfg(on)] #[shmem_kernel] fn c() {}\n\
         #[cfg_attr(on, cfg(off))] #[shmem_kernel] fn no() {}\n\
         #[cfg_attr(on, shmem_kernel(vector), inline)] #[doc = \"\"] fn d() {}\n\
         #[cfg_attr(off, shmem_kernel)] fn no() {}\n\
         #[cfg(off)] impl T { fn f() { #[shmem_kernel] fn no() {} } }\n\
         fn f() { #[cfg(off)] { #[shmem_kernel] fn no() {} } #[cfg(on)] { #[shmem_kernel] fn e() {} } }\n\
         #[cfg_attr(on, path = \"x.rs\")] #[cfg_attr(off, path = \"y.rs\")] mod g;",
    );
    assert_eq!(found, ["::c", "::d", "f::e"]);
    assert_eq!(scan.kernels[1].arguments.to_string(), "vector");
    assert_eq!(scan.kernels[1].item.attrs.len(), 1);
    assert_eq!(scan.modules[0].path.as_deref(), Some("x.rs"));
    assert_eq!(names("#![cfg(off)] #[shmem_kernel] fn no() {}").0, [""; 0]);
    // They are remembered, with what took them away: rustc may see them on.
    let off: Vec<(usize, &str)> = scan
        .off
        .iter()
        .map(|off| (off.found.line, off.cfg.as_str()))
        .collect();
    assert_eq!(
        off,
        [
            (1, "#[cfg(off)]"),
            (2, "#![cfg(off)]"),
            (4, "#[cfg_attr(on, cfg(off))]"),
            (7, "#[cfg(off)]"),
            (8, "#[cfg(off)]"),
        ]
    );
}
