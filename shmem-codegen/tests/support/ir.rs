//! LLVM IR, read for what calls what.

use std::collections::{BTreeMap, BTreeSet};

/// The functions and variables of some texts.
#[derive(Debug, Default)]
pub struct Program {
    /// By function, what it calls.
    pub calls: BTreeMap<String, BTreeSet<String>>,
    /// What is called and not there.
    pub declared: BTreeSet<String>,
    /// Variables.
    pub variables: BTreeSet<String>,
}

impl Program {
    /// Takes in one text.
    pub fn read(&mut self, text: &str) {
        let mut inside = None;
        for line in text.lines() {
            if line.starts_with("define ") {
                let name = symbol(line).unwrap_or_default();
                self.calls.entry(name.to_owned()).or_default();
                inside = Some(name);
            } else if line.starts_with("declare ") {
                self.declared.extend(symbol(line).map(ToOwned::to_owned));
            } else if line.starts_with('}') {
                inside = None;
            } else if let Some(variable) = line.strip_prefix('@') {
                let name = variable.split(" =").next().unwrap_or_default();
                self.variables.insert(name.to_owned());
            } else if let Some(name) = inside
                && (line.contains("call ") || line.contains("invoke "))
                && let Some(callee) = symbol(line)
                && let Some(calls) = self.calls.get_mut(name)
            {
                calls.insert(callee.to_owned());
            }
        }
    }

    /// The longest chain of calls that begins with `name` and stays where `within` holds; `None` where one comes back.
    pub fn chain(&self, name: &str, within: &dyn Fn(&str) -> bool) -> Option<Vec<String>> {
        self.extend(name, within, &mut Vec::new(), &mut BTreeMap::new())
    }

    fn extend(
        &self,
        name: &str,
        within: &dyn Fn(&str) -> bool,
        callers: &mut Vec<String>,
        known: &mut BTreeMap<String, Vec<String>>,
    ) -> Option<Vec<String>> {
        if callers.iter().any(|caller| caller == name) {
            return None;
        }
        if let Some(chain) = known.get(name) {
            return Some(chain.clone());
        }
        callers.push(name.to_owned());
        let mut longest = Vec::new();
        for callee in self.calls.get(name).into_iter().flatten() {
            if within(callee) && self.calls.contains_key(callee) {
                let chain = self.extend(callee, within, callers, known)?;
                if chain.len() > longest.len() {
                    longest = chain;
                }
            }
        }
        callers.pop();
        longest.insert(0, name.to_owned());
        known.insert(name.to_owned(), longest.clone());
        Some(longest)
    }
}

/// The first global name of a line.
fn symbol(line: &str) -> Option<&str> {
    let rest = line.split_once('@')?.1;
    let end = rest.find('(')?;
    Some(rest[..end].trim_matches('"'))
}
