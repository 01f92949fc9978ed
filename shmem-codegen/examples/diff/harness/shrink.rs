//! Makes a kernel that shows a mismatch smaller, as long as it shows the same one.

use std::path::Path;
use std::time::{Duration, Instant};

use super::ast::{Block, Expr, Kernel, Kind, Scalar, Stmt, Ty};
use super::batch::{self, Case, Job, Mismatch, Report};
use super::compile::Tools;
use super::front;
use super::input::{Argument, Input};

/// Candidates that are compiled at once.
const AT_ONCE: usize = 40;

/// The smallest kernel found within `limit`, with the mismatch that it shows.
pub fn shrink(
    tools: &Tools,
    directory: &Path,
    case: &Case,
    mismatch: &Mismatch,
    limit: Duration,
) -> (Case, Mismatch) {
    let started = Instant::now();
    let mut best = case.clone();
    if !best.inputs.is_empty() {
        best.inputs = vec![best.inputs[mismatch.input].clone()];
    }
    let mut shown = mismatch.clone();
    let try_all =
        |candidates: &[Case]| candidates_that_show(tools, directory, candidates, mismatch);
    'round: while started.elapsed() < limit {
        let mut candidates = smaller(&best);
        candidates.sort_by_key(|candidate| candidate.kernel.size());
        // What is much smaller first, but not only what breaks everything.
        for chunk in spread(candidates).chunks(AT_ONCE) {
            let mut found = try_all(chunk);
            found.sort_by_key(|(at, _)| chunk[*at].kernel.size());
            if let Some((at, mismatch)) = found.into_iter().next() {
                best = chunk[at].clone();
                shown = mismatch;
                continue 'round;
            }
            if started.elapsed() > limit {
                break;
            }
        }
        break;
    }
    loop {
        let candidates: Vec<Case> = smaller_inputs(&best.inputs)
            .into_iter()
            .take(120)
            .map(|input| Case {
                kernel: best.kernel.clone(),
                inputs: vec![input],
            })
            .collect();
        let Some((at, mismatch)) = try_all(&candidates).into_iter().next() else {
            break;
        };
        best = candidates[at].clone();
        shown = mismatch;
        if started.elapsed() > limit + limit / 2 {
            break;
        }
    }
    (best, shown)
}

/// The candidates in another order: every size is in the first chunk.
fn spread(candidates: Vec<Case>) -> Vec<Case> {
    let step = candidates.len().div_ceil(AT_ONCE).max(1);
    let mut order: Vec<usize> = (0..candidates.len()).collect();
    order.sort_by_key(|at| (at % step, at / step));
    let mut slots: Vec<Option<Case>> = candidates.into_iter().map(Some).collect();
    order
        .into_iter()
        .filter_map(|at| slots[at].take())
        .collect()
}

fn candidates_that_show(
    tools: &Tools,
    directory: &Path,
    candidates: &[Case],
    wanted: &Mismatch,
) -> Vec<(usize, Mismatch)> {
    let kernels: Vec<&Kernel> = candidates.iter().map(|case| &case.kernel).collect();
    let lowering = front::lower(&kernels);
    let mut report = Report::default();
    let Ok(prepared) = batch::rust(tools, directory, candidates, &lowering, &mut report) else {
        return Vec::new();
    };
    if let Some(config) = &wanted.config {
        let job = Job {
            tools,
            directory,
            cases: candidates,
            lowering: &lowering,
            prepared: &prepared,
            config,
            stop_early: false,
        };
        let ran = batch::cplusplus(job, &mut report);
        if ran.is_err() {
            return Vec::new();
        }
    }
    report
        .mismatches
        .into_iter()
        .filter(|(_, mismatch)| mismatch.what == wanted.what && mismatch.form == wanted.form)
        .collect()
}

/// Kernels that are one edit smaller.
fn smaller(case: &Case) -> Vec<Case> {
    let kernel = &case.kernel;
    let mut kernels: Vec<Kernel> = Vec::new();
    let mut push = |candidate: Kernel| {
        if candidate != *kernel && candidate.size() <= kernel.size() {
            kernels.push(candidate);
        }
    };
    for edit in [
        |k: &mut Kernel| k.layout = 0,
        |k: &mut Kernel| k.vector = false,
        |k: &mut Kernel| k.all_blocks = false,
        |k: &mut Kernel| k.items.clear(),
        |k: &mut Kernel| k.helpers.clear(),
        |k: &mut Kernel| k.name = "kernel".to_owned(),
    ] {
        let mut candidate = kernel.clone();
        edit(&mut candidate);
        push(candidate);
    }
    let mut blocks = Vec::new();
    kernel
        .clone()
        .for_each_block(&mut |block| blocks.push(block.clone()));
    for (at, block) in blocks.iter().enumerate() {
        for replacement in smaller_blocks(block) {
            let mut candidate = kernel.clone();
            replace_block(&mut candidate, at, &replacement);
            push(candidate);
        }
    }
    let mut exprs = Vec::new();
    kernel
        .clone()
        .for_each_expr(&mut |expr| exprs.push(expr.clone()));
    for (at, expr) in exprs.iter().enumerate() {
        for replacement in smaller_exprs(expr) {
            let mut candidate = kernel.clone();
            let mut count = 0;
            candidate.for_each_expr(&mut |expr| {
                if count == at {
                    *expr = replacement.clone();
                    count += 1_000_000;
                }
                count += 1;
            });
            push(candidate);
        }
    }
    let mut cases: Vec<Case> = kernels
        .into_iter()
        .map(|kernel| Case {
            inputs: case
                .inputs
                .iter()
                .map(|input| Input {
                    block: if kernel.all_blocks {
                        input.block
                    } else {
                        [0, 1, if kernel.vector { 1 } else { 2 }]
                    },
                    ..input.clone()
                })
                .collect(),
            kernel,
        })
        .collect();
    cases.extend(fewer_params(case));
    cases
}

fn fewer_params(case: &Case) -> Vec<Case> {
    let aliased = case.inputs.iter().any(|input| {
        input
            .arguments
            .iter()
            .any(|argument| matches!(argument, Argument::Alias(..)))
    });
    if aliased {
        return Vec::new();
    }
    (0..case.kernel.params.len())
        .map(|at| {
            let mut smaller = case.clone();
            smaller.kernel.params.remove(at);
            for input in &mut smaller.inputs {
                input.arguments.remove(at);
            }
            smaller
        })
        .collect()
}

fn replace_block(kernel: &mut Kernel, at: usize, replacement: &Block) {
    let mut count = 0;
    let mut done = false;
    kernel.for_each_block(&mut |block| {
        if count == at && !done {
            *block = replacement.clone();
            done = true;
        }
        count += 1;
    });
}

fn smaller_blocks(block: &Block) -> Vec<Block> {
    let mut smaller = Vec::new();
    let len = block.stmts.len();
    let mut size = len;
    while size > 0 {
        for start in (0..len).step_by(size) {
            let mut stmts = block.stmts.clone();
            stmts.drain(start..(start + size).min(len));
            smaller.push(Block {
                stmts,
                tail: block.tail.clone(),
            });
        }
        size /= 2;
    }
    for (at, stmt) in block.stmts.iter().enumerate() {
        for inner in instead_of_stmt(stmt) {
            let mut stmts = block.stmts.clone();
            stmts.splice(at..=at, inner);
            smaller.push(Block {
                stmts,
                tail: block.tail.clone(),
            });
        }
    }
    smaller
}

fn instead_of_stmt(stmt: &Stmt) -> Vec<Vec<Stmt>> {
    let mut instead = Vec::new();
    let mut copy = stmt.clone();
    copy.blocks(&mut |block| instead.push(block.stmts.clone()));
    match stmt {
        Stmt::If(condition, then, Some(_)) => {
            instead.push(vec![Stmt::If(condition.clone(), then.clone(), None)]);
        }
        Stmt::For { label: Some(_), .. }
        | Stmt::Each(Some(_), ..)
        | Stmt::While(Some(_), ..)
        | Stmt::Loop(Some(_), _) => {
            let mut plain = stmt.clone();
            if let Stmt::For { label, .. }
            | Stmt::Each(label, ..)
            | Stmt::While(label, ..)
            | Stmt::Loop(label, _) = &mut plain
            {
                *label = None;
            }
            instead.push(vec![plain]);
        }
        Stmt::Assign(place, Some(_), value) => {
            instead.push(vec![Stmt::Assign(place.clone(), None, value.clone())]);
        }
        Stmt::Let {
            pattern,
            ty: Some(_),
            init,
        } => instead.push(vec![Stmt::Let {
            pattern: pattern.clone(),
            ty: None,
            init: init.clone(),
        }]),
        _ => {}
    }
    instead
}

fn smaller_exprs(expr: &Expr) -> Vec<Expr> {
    let mut smaller = Vec::new();
    let mut copy = expr.clone();
    let same = |inner: &Expr| inner.ty == expr.ty;
    copy.operands(&mut |operand| {
        if same(operand) {
            smaller.push(operand.clone());
        }
        // What stands below a cast may have the type again.
        operand.operands(&mut |inner| {
            if same(inner) {
                smaller.push(inner.clone());
            }
        });
    });
    copy.blocks(&mut |block| {
        if let Some(tail) = &block.tail {
            smaller.push((**tail).clone());
        }
    });
    if let (Kind::Literal(text), Some(scalar)) = (&expr.kind, expr.ty.scalar()) {
        // A suffix less, or a smaller number.
        let plain = text.trim_end_matches(scalar.name()).trim_end_matches('_');
        if plain != text && !plain.is_empty() {
            smaller.push(Expr::new(Kind::Literal(plain.to_owned()), expr.ty.clone()));
        }
    }
    let literals: &[&str] = match &expr.ty {
        Ty::Scalar(Scalar::Bool) => &["true", "false"],
        Ty::Scalar(Scalar::F32) => &["0f32", "1f32"],
        Ty::Scalar(Scalar::F64) => &["0f64", "1f64"],
        Ty::Scalar(scalar) if scalar.is_int() => &["0", "1"],
        _ => &[],
    };
    let plain_literal = matches!(&expr.kind, Kind::Literal(text) if text.len() < 4);
    for text in literals.iter().filter(|_| !plain_literal) {
        let suffix = expr.ty.int().map_or("", Scalar::name);
        smaller.push(Expr::new(
            Kind::Literal(format!("{text}{suffix}")),
            expr.ty.clone(),
        ));
    }
    smaller
}

/// Inputs that are simpler: zeros, ones, fewer cells.
fn smaller_inputs(inputs: &[Input]) -> Vec<Input> {
    let Some(input) = inputs.first() else {
        return Vec::new();
    };
    let mut smaller = Vec::new();
    let mut push = |at: usize, argument: Argument| {
        let mut arguments = input.arguments.clone();
        if arguments[at] != argument {
            arguments[at] = argument;
            smaller.push(Input {
                arguments,
                block: input.block,
            });
        }
    };
    for (at, argument) in input.arguments.iter().enumerate() {
        match argument {
            Argument::Bits(bits) => {
                for simple in [0, 1].into_iter().filter(|simple| simple < bits) {
                    push(at, Argument::Bits(simple));
                }
            }
            Argument::Cells(cells) => {
                if cells.iter().any(|&cell| cell != 0) {
                    push(at, Argument::Cells(vec![0; cells.len()]));
                    for cell in 0..cells.len() {
                        if cells[cell] != 0 {
                            let mut cells = cells.clone();
                            cells[cell] = 0;
                            push(at, Argument::Cells(cells));
                        }
                    }
                }
            }
            Argument::Alias(..) => {}
        }
    }
    smaller
}
