//! `#[cfg(...)]` as cargo tells it to a build script.

use syn::Meta;

/// Whether a name of `cfg`, or a name with a value, holds.
pub(super) fn active(predicate: &Meta) -> bool {
    holds(predicate, &|name| std::env::var(name).ok())
}

fn holds(predicate: &Meta, variable: &dyn Fn(&str) -> Option<String>) -> bool {
    let upper = |text: &str| text.to_uppercase().replace('-', "_");
    match predicate {
        Meta::List(_) => false,
        // cargo does not tell; the profile that `dev` and `test` derive from has it on.
        Meta::Path(path) if path.is_ident("debug_assertions") => {
            variable("PROFILE").is_some_and(|p| p == "debug")
        }
        Meta::Path(path) => path.get_ident().is_some_and(|name| {
            variable(&format!("CARGO_CFG_{}", upper(&name.to_string()))).is_some()
        }),
        Meta::NameValue(pair) => {
            let syn::Expr::Lit(syn::ExprLit {
                lit: syn::Lit::Str(value),
                ..
            }) = &pair.value
            else {
                return false;
            };
            let Some(name) = pair.path.get_ident() else {
                return false;
            };
            if name == "feature" {
                return variable(&format!("CARGO_FEATURE_{}", upper(&value.value()))).is_some();
            }
            variable(&format!("CARGO_CFG_{}", upper(&name.to_string())))
                .is_some_and(|values| values.split(',').any(|known| known == value.value()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn predicates_hold_as_in_rustc() {
        let variable = |name: &str| match name {
            "CARGO_CFG_UNIX" => Some(String::new()),
            "CARGO_CFG_TARGET_FEATURE" => Some("fxsr,sse2".to_owned()),
            "CARGO_CFG_TARGET_OS" => Some("linux".to_owned()),
            "CARGO_FEATURE_MY_FEATURE" => Some("1".to_owned()),
            "PROFILE" => Some("debug".to_owned()),
            _ => None,
        };
        let cases = [
            ("unix", true),
            ("windows", false),
            ("test", false),
            ("not(test)", true),
            ("debug_assertions", true),
            ("target_os = \"linux\"", true),
            ("target_feature = \"sse2\"", true),
            ("target_feature = \"sse\"", false),
            ("feature = \"my-feature\"", true),
            ("feature = \"other\"", false),
            ("all(unix, not(windows))", true),
            ("any(windows, feature = \"my-feature\")", true),
            ("all(true, not(false))", true),
            ("any(unix, false)", true),
            ("any(false, windows)", false),
            ("all()", true),
            ("any()", false),
        ];
        for (text, expected) in cases {
            let meta: Meta = syn::parse_str(text).unwrap();
            let found = crate::source::holds(&meta, &|leaf| Some(holds(leaf, &variable)));
            assert_eq!(found, Some(expected), "{text}");
        }
    }
}
