use std::error::Error as StdError;
use std::fmt;
use std::iter::successors;
use std::time::Duration;

use tonic::{Code, Status, TimeoutExpired};
use tonic_types::StatusExt;

/// A failed call. Decide by `code` and `reason`; the message is for people and may change.
#[derive(Clone, Debug)]
pub struct Error {
    /// The canonical code.
    pub code: Code,
    /// The problem, the allowed values and the remedy.
    pub message: String,
    /// A stable name from docs/errors.md. Empty if the transport made the error.
    pub reason: String,
    /// The invalid fields, if any.
    pub violations: Vec<FieldViolation>,
    /// How long to wait before a retry. `None` if the service gave no time.
    pub retry_after: Option<Duration>,
    /// The address of the server to which the user or the run has moved, for the reason `MOVED`.
    /// The client continues there automatically, unless its key may not be sent there.
    pub moved_to: Option<String>,

    /// Set only for an error that the transport made.
    cause: Option<Status>,
}

/// An invalid field of the request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldViolation {
    /// The field's path in the definitions, such as `filter.time_range` or `tags[3]`.
    pub field: String,
    /// The problem and the allowed values.
    pub description: String,
}

impl Error {
    pub(crate) fn deadline_exceeded() -> Self {
        Self::without_details(Code::DeadlineExceeded, "the call did not end before its deadline".to_owned())
    }

    /// The error for an invalid option of `connect`.
    pub(crate) fn of_options(message: impl Into<String>) -> Self {
        Self::without_details(Code::InvalidArgument, message.into())
    }

    fn without_details(code: Code, message: String) -> Self {
        Self { code, message, reason: String::new(), violations: Vec::new(), retry_after: None, moved_to: None, cause: None }
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
            moved_to: details
                .error_info()
                .filter(|it| it.reason == "MOVED")
                .and_then(|it| it.metadata.get("address"))
                .map(|it| it.rsplit("://").next().unwrap_or(it).to_owned()),
            cause: status.source().is_some().then_some(status),
        }
    }
}

/// The text of an error, followed by the texts of its causes.
pub(crate) fn chain_of(error: &dyn StdError) -> String {
    successors(Some(error), |&it| it.source()).map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

/// Returns the code of an error. The error of a lost connection becomes Unavailable: tonic reports
/// Unknown, Internal or Cancelled, with the cause as the source of the status.
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
    /// The cause of a transport failure, such as a refused connection.
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.cause.as_ref().and_then(StdError::source)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deadline_noticed_by_tonic_is_not_a_lost_connection() {
        let status = Status::from_error(Box::new(TimeoutExpired(())));
        assert_eq!(Error::from(status).code, Code::DeadlineExceeded);
    }

    #[test]
    fn the_source_of_a_lost_connection_is_the_system_error() {
        let error = Error::from(Status::from_error("connection reset".into()));
        assert_eq!(error.code, Code::Unavailable);
        assert_eq!(error.source().map(ToString::to_string).as_deref(), Some("connection reset"));
    }
}
