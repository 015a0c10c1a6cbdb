use std::error::Error as StdError;
use std::fmt;
use std::iter::successors;
use std::time::Duration;

use tonic::{Code, Status, TimeoutExpired};
use tonic_types::StatusExt;

use crate::target::Target;

/// A failed call. Programs should check `code` and `reason`. The message is for people and may
/// change.
#[derive(Clone, Debug)]
pub struct Error {
    /// The canonical code.
    pub code: Code,
    /// Says what is wrong, what is allowed and what to do.
    pub message: String,
    /// A stable name from docs/reference/errors.md. Empty if the error has none, such as a lost connection.
    pub reason: String,
    /// The invalid fields, if any.
    pub violations: Vec<FieldViolation>,
    /// How long to wait before a retry. `None` if the server named no time.
    pub retry_after: Option<Duration>,
    /// The address of the server to which the user or run has moved. Set only for the reason
    /// `MOVED`. The client does not call this server by itself: the server that it knows forwards
    /// calls, or says with this error that it does not. To use the other server, connect to its
    /// address.
    pub moved_to: Option<String>,

    /// Set only if the error does not come from the server.
    cause: Option<Status>,
}

/// An invalid field of the request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldViolation {
    /// The field's path in the definitions, such as `filter.time_range` or `tags[3]`.
    pub field: String,
    /// Says what is wrong and what is allowed.
    pub description: String,
}

impl Error {
    pub(crate) fn deadline_exceeded(target: &Target) -> Self {
        Self::without_details(Code::DeadlineExceeded, target.explain(Code::DeadlineExceeded, ""))
    }

    /// Converts the error of a call. Explains it if it does not come from a Vademecum server.
    pub(crate) fn of_call(status: Status, target: &Target) -> Self {
        let mut error = Self::from(status);
        if error.reason.is_empty() {
            let text = match &error.cause {
                Some(cause) => chain_of(cause),
                None => error.message,
            };
            error.message = target.explain(error.code, &text);
        }
        error
    }

    /// Returns the error for an invalid field of a request.
    pub(crate) fn of_field(field: String, description: String) -> Self {
        let message = format!("{field}: {description}");
        let violations = vec![FieldViolation { field, description }];
        Self { reason: "INVALID_FIELD".to_owned(), violations, ..Self::without_details(Code::InvalidArgument, message) }
    }

    /// Returns the error for an invalid option of `connect`.
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

/// Returns the text of an error, followed by the texts of its causes.
pub(crate) fn chain_of(error: &dyn StdError) -> String {
    successors(Some(error), |&it| it.source()).map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

/// Returns the code of an error. In two cases, the code differs from the code of the status:
///
/// - A lost connection: Unavailable. tonic reports Unknown, Internal or Cancelled.
/// - A deadline that tonic itself noticed: DeadlineExceeded.
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
    /// The cause of a lost or failed connection, such as an error of the operating system.
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.cause.as_ref().and_then(StdError::source)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deadline_that_tonic_notices_is_not_a_lost_connection() {
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
