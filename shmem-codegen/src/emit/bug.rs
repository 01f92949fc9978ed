//! Mistakes that the emitter can be told to make: what the differential test must find (`tests/diff.rs`).

use super::Emit;

/// A mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum Bug {
    /// `!x` of a small integer stays an int.
    PromotionStays,
    /// Operands are not kept in temporaries.
    OrderLost,
    ContinueLabelLost,
    BreakLabelLost,
    /// A float is cast to an integer as C++ does it.
    PlainFloatCast,
    /// The end of a range is evaluated at each turn.
    EndEachTurn,
    ParenthesesLost,
    /// Wrapping addition saturates.
    WrappingSaturates,
    /// A negative number is shifted right without its sign.
    ShiftWithoutSign,
    /// Unsigned numbers are compared as signed ones.
    ComparedAsSigned,
    /// What shadows a name has the same one.
    ShadowedNameReused,
    /// The index may be the length.
    IndexOffByOne,
    /// `..=` leaves out its end.
    InclusiveOffByOne,
    /// `x += value` reads `x` before the value is made.
    CompoundLeftFirst,
    /// The right side of `&&` runs always.
    ShortCircuitLost,
    /// `-MIN` goes through.
    NegationUnchecked,
    /// A literal beside a literal is an int.
    SuffixLost,
    /// Loading a float makes a NaN quiet.
    NanLost,
    /// A slice begins where its memory does.
    SliceBaseLost,
    RangeCheckLost,
    PeCheckLost,
    DivisorCheckLost,
    ReverseLost,
    /// A panic has the place of the next one.
    NextSite,
    /// Floats that are not `f32` are added where they are to be subtracted.
    FloatSubAdds,
    /// Integers are added where they are to be subtracted: most loops do not end.
    SubAdds,
    /// A line is not printed.
    PrintLost,
    /// The index of an array is not checked.
    ElementCheckLost,
    /// What a device function does with a reference is lost.
    ReferenceCopied,
}

impl Bug {
    /// All of them.
    pub const ALL: [Bug; 29] = [
        Bug::PromotionStays,
        Bug::OrderLost,
        Bug::ContinueLabelLost,
        Bug::BreakLabelLost,
        Bug::PlainFloatCast,
        Bug::EndEachTurn,
        Bug::ParenthesesLost,
        Bug::WrappingSaturates,
        Bug::ShiftWithoutSign,
        Bug::ComparedAsSigned,
        Bug::ShadowedNameReused,
        Bug::IndexOffByOne,
        Bug::InclusiveOffByOne,
        Bug::CompoundLeftFirst,
        Bug::ShortCircuitLost,
        Bug::NegationUnchecked,
        Bug::SuffixLost,
        Bug::NanLost,
        Bug::SliceBaseLost,
        Bug::RangeCheckLost,
        Bug::PeCheckLost,
        Bug::DivisorCheckLost,
        Bug::ReverseLost,
        Bug::NextSite,
        Bug::FloatSubAdds,
        Bug::SubAdds,
        Bug::PrintLost,
        Bug::ElementCheckLost,
        Bug::ReferenceCopied,
    ];
}

impl Emit<'_> {
    /// Whether this mistake is to be made.
    pub(super) fn has(&self, bug: Bug) -> bool {
        self.options.bug == Some(bug)
    }
}
