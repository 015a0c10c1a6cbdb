use std::error::Error as StdError;
use std::fmt;
use std::iter::successors;
use std::time::Duration;

use tonic::{Code, Status, TimeoutExpired};
use tonic_types::StatusExt;

/// A call that failed. Decide by `code` and `reason`; the message is for people and may change.
#[derive(Clone, Debug)]
pub struct Error {
    /// The canonical code.
    pub code: Code,
    /// What was wrong, what is allowed, what to do.
    pub message: String,
    /// A name that stays the same from version to version, from docs/errors.md. Empty if the transport made the error.
    pub reason: String,
    /// The fields at fault, if any.
    pub violations: Vec<FieldViolation>,
    /// After which a repeated call may do better. `None` if the service gave none.
    pub retry_after: Option<Duration>,

    /// Only of an error that the transport made.
    cause: Option<Status>,
}

/// A field of the request that breaks a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldViolation {
    /// Its path in the definitions, such as `filter.time_range` or `tags[3]`.
    pub field: String,
    /// What is wrong with it and what is allowed.
    pub description: String,
}

impl Error {
    pub(crate) fn deadline_exceeded() -> Self {
        Self::without_details(Code::DeadlineExceeded, "the call did not end before its deadline".to_owned())
    }

    /// What `connect` was given cannot be used.
    pub(crate) fn of_options(message: impl Into<String>) -> Self {
        Self::without_details(Code::InvalidArgument, message.into())
    }

    fn without_details(code: Code, message: String) -> Self {
        Self { code, message, reason: String::new(), violations: Vec::new(), retry_after: None, cause: None }
    }
}

impl From<Status> for Error {
    fn from(status: Status) -> Self {
        let details = status.get_error_details();
        let violations = details.bad_request().map(|it| it.field_violations.as_slice()).unwrap_or_default();
        Self {
            code: code_of(&status),
            message: status.message().to_owned(),
            reason: details.error_info().map(|it| it.reason.clone()).unwrap_or_default(),
            violations: violations
                .iter()
                .map(|it| FieldViolation { field: it.field.clone(), description: it.description.clone() })
                .collect(),
            retry_after: details.retry_info().and_then(|it| it.retry_delay),
            cause: status.source().is_some().then_some(status),
        }
    }
}

/// The text of an error, and of what caused it.
pub(crate) fn chain_of(error: &dyn StdError) -> String {
    successors(Some(error), |&it| it.source()).map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

/// A connection that is lost is Unavailable; tonic reports it as an error of an unknown or internal kind, with its cause as the source.
fn code_of(status: &Status) -> Code {
    let is_local = status.source().is_some() && status.details().is_empty();
    let is_late = successors(status.source(), |&it| it.source()).any(|it| it.is::<TimeoutExpired>());
    match status.code() {
        _ if is_late => Code::DeadlineExceeded,
        Code::Unknown | Code::Internal | Code::Cancelled if is_local => Code::Unavailable,
        code => code,
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.reason.as_str() {
            "" => write!(formatter, "{:?}: {}", self.code, self.message),
            reason => write!(formatter, "{:?} ({reason}): {}", self.code, self.message),
        }
    }
}

impl StdError for Error {
    /// Why the transport failed, such as that nothing listens at the address.
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.cause.as_ref().and_then(StdError::source)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deadline_that_tonic_notices_first_is_not_a_lost_connection() {
        let status = Status::from_error(Box::new(TimeoutExpired(())));
        assert_eq!(Error::from(status).code, Code::DeadlineExceeded);
    }

    #[test]
    fn the_source_of_a_lost_connection_is_what_the_system_said() {
        let error = Error::from(Status::from_error("connection reset".into()));
        assert_eq!(error.code, Code::Unavailable);
        assert_eq!(error.source().map(ToString::to_string).as_deref(), Some("connection reset"));
    }
}
