"""Types of the Debug Adapter Protocol. Generated from the schema in debugpy; do not edit."""

from typing import Any, Literal, TypedDict

ChecksumAlgorithm = Literal["MD5", "SHA1", "SHA256", "timestamp"]
"""Names of checksum algorithms that may be supported by a debug adapter."""

ExceptionBreakMode = Literal["never", "always", "unhandled", "userUnhandled"]
"""This enumeration defines all possible conditions when a thrown exception should result in a break."""

InvalidatedAreas = str
"""Logical areas that can be invalidated by the `invalidated` event."""


class _Breakpoint(TypedDict):
    """Required properties of Breakpoint."""

    verified: bool


class Breakpoint(_Breakpoint, total=False):
    """Information about a breakpoint created in `setBreakpoints`, `setFunctionBreakpoints`, ..."""

    id: int
    message: str
    source: "Source"
    line: int
    column: int
    endLine: int
    endColumn: int
    instructionReference: str
    offset: int
    reason: Literal["pending", "failed"]


class BreakpointEventBody(TypedDict):
    """The event indicates that some information about a breakpoint has changed."""

    reason: str
    breakpoint: "Breakpoint"


class Capabilities(TypedDict, total=False):
    """Information about the capabilities of a debug adapter."""

    supportsConfigurationDoneRequest: bool
    supportsFunctionBreakpoints: bool
    supportsConditionalBreakpoints: bool
    supportsHitConditionalBreakpoints: bool
    supportsEvaluateForHovers: bool
    exceptionBreakpointFilters: "list[ExceptionBreakpointsFilter]"
    supportsStepBack: bool
    supportsSetVariable: bool
    supportsRestartFrame: bool
    supportsGotoTargetsRequest: bool
    supportsStepInTargetsRequest: bool
    supportsCompletionsRequest: bool
    completionTriggerCharacters: list[str]
    supportsModulesRequest: bool
    additionalModuleColumns: "list[ColumnDescriptor]"
    supportedChecksumAlgorithms: "list[ChecksumAlgorithm]"
    supportsRestartRequest: bool
    supportsExceptionOptions: bool
    supportsValueFormattingOptions: bool
    supportsExceptionInfoRequest: bool
    supportTerminateDebuggee: bool
    supportSuspendDebuggee: bool
    supportsDelayedStackTraceLoading: bool
    supportsLoadedSourcesRequest: bool
    supportsLogPoints: bool
    supportsTerminateThreadsRequest: bool
    supportsSetExpression: bool
    supportsTerminateRequest: bool
    supportsDataBreakpoints: bool
    supportsReadMemoryRequest: bool
    supportsWriteMemoryRequest: bool
    supportsDisassembleRequest: bool
    supportsCancelRequest: bool
    supportsBreakpointLocationsRequest: bool
    supportsClipboardContext: bool
    supportsSteppingGranularity: bool
    supportsInstructionBreakpoints: bool
    supportsExceptionFilterOptions: bool
    supportsSingleThreadExecutionRequests: bool


class CapabilitiesEventBody(TypedDict):
    """The event indicates that one or more capabilities have changed."""

    capabilities: "Capabilities"


class Checksum(TypedDict):
    """The checksum of an item calculated by the specified algorithm."""

    algorithm: "ChecksumAlgorithm"
    checksum: str


class _ColumnDescriptor(TypedDict):
    """Required properties of ColumnDescriptor."""

    attributeName: str
    label: str


class ColumnDescriptor(_ColumnDescriptor, total=False):
    """A `ColumnDescriptor` specifies what module attribute to show in a column of the modules view, how to ..."""

    format: str
    type: Literal["string", "number", "boolean", "unixTimestampUTC"]
    width: int


class ContinueResponseBody(TypedDict, total=False):
    """Response to `continue` request."""

    allThreadsContinued: bool


class _ContinuedEventBody(TypedDict):
    """Required properties of ContinuedEventBody."""

    threadId: int


class ContinuedEventBody(_ContinuedEventBody, total=False):
    """The event indicates that the execution of the debuggee has continued."""

    allThreadsContinued: bool


class _EvaluateResponseBody(TypedDict):
    """Required properties of EvaluateResponseBody."""

    result: str
    variablesReference: int


class EvaluateResponseBody(_EvaluateResponseBody, total=False):
    """Response to `evaluate` request."""

    type: str
    presentationHint: "VariablePresentationHint"
    namedVariables: int
    indexedVariables: int
    memoryReference: str


class _ExceptionBreakpointsFilter(TypedDict):
    """Required properties of ExceptionBreakpointsFilter."""

    filter: str
    label: str


class ExceptionBreakpointsFilter(_ExceptionBreakpointsFilter, total=False):
    """An `ExceptionBreakpointsFilter` is shown in the UI as an filter option for configuring how exceptions are ..."""

    description: str
    default: bool
    supportsCondition: bool
    conditionDescription: str


class ExceptionDetails(TypedDict, total=False):
    """Detailed information about an exception that has occurred."""

    message: str
    typeName: str
    fullTypeName: str
    evaluateName: str
    stackTrace: str
    innerException: "list[ExceptionDetails]"


class _ExceptionInfoResponseBody(TypedDict):
    """Required properties of ExceptionInfoResponseBody."""

    exceptionId: str
    breakMode: "ExceptionBreakMode"


class ExceptionInfoResponseBody(_ExceptionInfoResponseBody, total=False):
    """Response to `exceptionInfo` request."""

    description: str
    details: "ExceptionDetails"


class ExitedEventBody(TypedDict):
    """The event indicates that the debuggee has exited and returns its exit code."""

    exitCode: int


class _GotoTarget(TypedDict):
    """Required properties of GotoTarget."""

    id: int
    label: str
    line: int


class GotoTarget(_GotoTarget, total=False):
    """A `GotoTarget` describes a code location that can be used as a target in the `goto` request."""

    column: int
    endLine: int
    endColumn: int
    instructionPointerReference: str


class GotoTargetsResponseBody(TypedDict):
    """Response to `gotoTargets` request."""

    targets: "list[GotoTarget]"


class InvalidatedEventBody(TypedDict, total=False):
    """This event signals that some state in the debug adapter has changed and requires that the client needs to ..."""

    areas: "list[InvalidatedAreas]"
    threadId: int
    stackFrameId: int


class LoadedSourcesResponseBody(TypedDict):
    """Response to `loadedSources` request."""

    sources: "list[Source]"


class _OutputEventBody(TypedDict):
    """Required properties of OutputEventBody."""

    output: str


class OutputEventBody(_OutputEventBody, total=False):
    """The event indicates that the target has produced some output."""

    category: str
    group: Literal["start", "startCollapsed", "end"]
    variablesReference: int
    source: "Source"
    line: int
    column: int
    data: Any


class _ProcessEventBody(TypedDict):
    """Required properties of ProcessEventBody."""

    name: str


class ProcessEventBody(_ProcessEventBody, total=False):
    """The event indicates that the debugger has begun debugging a new process."""

    systemProcessId: int
    isLocalProcess: bool
    startMethod: Literal["launch", "attach", "attachForSuspendedLaunch"]
    pointerSize: int


class _ProgressEndEventBody(TypedDict):
    """Required properties of ProgressEndEventBody."""

    progressId: str


class ProgressEndEventBody(_ProgressEndEventBody, total=False):
    """The event signals the end of the progress reporting with a final message."""

    message: str


class _ProgressStartEventBody(TypedDict):
    """Required properties of ProgressStartEventBody."""

    progressId: str
    title: str


class ProgressStartEventBody(_ProgressStartEventBody, total=False):
    """The event signals that a long running operation is about to start and provides additional information for ..."""

    requestId: int
    cancellable: bool
    message: str
    percentage: float


class _ProgressUpdateEventBody(TypedDict):
    """Required properties of ProgressUpdateEventBody."""

    progressId: str


class ProgressUpdateEventBody(_ProgressUpdateEventBody, total=False):
    """The event signals that the progress reporting needs to be updated with a new message and/or percentage."""

    message: str
    percentage: float


class _Scope(TypedDict):
    """Required properties of Scope."""

    name: str
    variablesReference: int
    expensive: bool


class Scope(_Scope, total=False):
    """A `Scope` is a named container for variables."""

    presentationHint: str
    namedVariables: int
    indexedVariables: int
    source: "Source"
    line: int
    column: int
    endLine: int
    endColumn: int


class ScopesResponseBody(TypedDict):
    """Response to `scopes` request."""

    scopes: "list[Scope]"


class SetBreakpointsResponseBody(TypedDict):
    """Response to `setBreakpoints` request."""

    breakpoints: "list[Breakpoint]"


class SetExceptionBreakpointsResponseBody(TypedDict, total=False):
    """Response to `setExceptionBreakpoints` request."""

    breakpoints: "list[Breakpoint]"


class SetFunctionBreakpointsResponseBody(TypedDict):
    """Response to `setFunctionBreakpoints` request."""

    breakpoints: "list[Breakpoint]"


class Source(TypedDict, total=False):
    """A `Source` is a descriptor for source code."""

    name: str
    path: str
    sourceReference: int
    presentationHint: Literal["normal", "emphasize", "deemphasize"]
    origin: str
    sources: "list[Source]"
    adapterData: Any
    checksums: "list[Checksum]"


class _SourceResponseBody(TypedDict):
    """Required properties of SourceResponseBody."""

    content: str


class SourceResponseBody(_SourceResponseBody, total=False):
    """Response to `source` request."""

    mimeType: str


class _StackFrame(TypedDict):
    """Required properties of StackFrame."""

    id: int
    name: str
    line: int
    column: int


class StackFrame(_StackFrame, total=False):
    """A Stackframe contains the source location."""

    source: "Source"
    endLine: int
    endColumn: int
    canRestart: bool
    instructionPointerReference: str
    moduleId: int | str
    presentationHint: Literal["normal", "label", "subtle"]


class _StackTraceResponseBody(TypedDict):
    """Required properties of StackTraceResponseBody."""

    stackFrames: "list[StackFrame]"


class StackTraceResponseBody(_StackTraceResponseBody, total=False):
    """Response to `stackTrace` request."""

    totalFrames: int


class _StoppedEventBody(TypedDict):
    """Required properties of StoppedEventBody."""

    reason: str


class StoppedEventBody(_StoppedEventBody, total=False):
    """The event indicates that the execution of the debuggee has stopped due to some condition."""

    description: str
    threadId: int
    preserveFocusHint: bool
    text: str
    allThreadsStopped: bool
    hitBreakpointIds: list[int]


class TerminatedEventBody(TypedDict, total=False):
    """The event indicates that debugging of the debuggee has terminated."""

    restart: Any


class Thread(TypedDict):
    """A Thread."""

    id: int
    name: str


class ThreadEventBody(TypedDict):
    """The event indicates that a thread has started or exited."""

    reason: str
    threadId: int


class ThreadsResponseBody(TypedDict):
    """Response to `threads` request."""

    threads: "list[Thread]"


class _Variable(TypedDict):
    """Required properties of Variable."""

    name: str
    value: str
    variablesReference: int


class Variable(_Variable, total=False):
    """A Variable is a name/value pair."""

    type: str
    presentationHint: "VariablePresentationHint"
    evaluateName: str
    namedVariables: int
    indexedVariables: int
    memoryReference: str


class VariablePresentationHint(TypedDict, total=False):
    """Properties of a variable that can be used to determine how to render the variable in the UI."""

    kind: str
    attributes: list[str]
    visibility: str
    lazy: bool


class VariablesResponseBody(TypedDict):
    """Response to `variables` request."""

    variables: "list[Variable]"
