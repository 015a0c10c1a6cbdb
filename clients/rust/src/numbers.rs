//! Refuses whole numbers that have probably lost digits: those beyond 2^53 with more digits than a
//! double keeps. A `Struct` holds doubles, so the number that the caller meant is gone.

use vademecum_stubs::prost_types::value::Kind;
use vademecum_stubs::prost_types::{Struct, Value};

use crate::error::Error;

/// From here on, a double cannot hold every whole number.
const WHOLE_NUMBER_MAX: f64 = 9_007_199_254_740_992.0;

/// The path of a number that has lost digits, and the number.
pub(crate) type LostNumber = (String, f64);

/// A message whose numbers can be checked. The implementations of requests are generated.
pub(crate) trait Numbers {
    /// Returns the first number that has lost digits. `path` leads to this message.
    fn lost_number(&self, _path: &str) -> Option<LostNumber> {
        None
    }
}

/// Returns an error that names the first number of a request that has lost digits.
pub(crate) fn require_numbers(request: &impl Numbers) -> Result<(), Error> {
    let Some((path, number)) = request.lost_number("") else { return Ok(()) };
    let description = format!(
        "is {number}, but JSON numbers are doubles, which hold whole numbers exactly only up to 9007199254740991. \
         Give ids and other long numbers as texts."
    );
    Err(Error::of_field(path, description))
}

impl<Message: Numbers> Numbers for Option<Message> {
    fn lost_number(&self, path: &str) -> Option<LostNumber> {
        self.as_ref().and_then(|it| it.lost_number(path))
    }
}

impl<Message: Numbers> Numbers for Vec<Message> {
    fn lost_number(&self, path: &str) -> Option<LostNumber> {
        self.iter().enumerate().find_map(|(index, it)| it.lost_number(&format!("{path}[{index}]")))
    }
}

impl Numbers for Struct {
    fn lost_number(&self, path: &str) -> Option<LostNumber> {
        self.fields.iter().find_map(|(name, it)| it.lost_number(&joined(path, name)))
    }
}

impl Numbers for Value {
    fn lost_number(&self, path: &str) -> Option<LostNumber> {
        match self.kind.as_ref()? {
            Kind::NumberValue(number) if has_lost_digits(*number) => Some((path.to_owned(), *number)),
            Kind::StructValue(inner) => inner.lost_number(path),
            Kind::ListValue(inner) => inner.values.lost_number(path),
            _ => None,
        }
    }
}

/// Whether a number is whole, beyond 2^53, and needs more than 15 digits. A double gives back every
/// number of 15 digits, however large.
fn has_lost_digits(number: f64) -> bool {
    let is_large = number.is_finite() && number.fract() == 0.0 && number.abs() >= WHOLE_NUMBER_MAX;
    is_large && format!("{number:.14e}").parse() != Ok(number)
}

pub(crate) fn joined(path: &str, name: &str) -> String {
    if path.is_empty() {
        name.to_owned()
    } else {
        format!("{path}.{name}")
    }
}
