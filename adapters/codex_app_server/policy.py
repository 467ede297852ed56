"""What of the app-server's JSON-RPC may land.

Visible: what the model says, what it asks a person, its plans. Hidden: reasoning. Private: what a
person wrote, commands beyond the program's name, outputs, diffs, paths, accounts, error sentences
beyond the runtime's own literals. The structure that says how a turn went passes as it is.
"""

from __future__ import annotations

from typing import Final

from turnreel.adapters import codex_items, codex_literals
from turnreel.sanitizers.policy import Blocks, Policy, lines

from . import asking, codes, grammar

_CLIENT: Final = (
    "initialize initialized thread/start thread/resume thread/fork thread/read thread/list"
    " thread/loaded/list thread/turns/list thread/items/list thread/items/read thread/archive"
    " thread/unsubscribe thread/name/set thread/compact/start thread/shellCommand"
    " thread/settings/update turn/start turn/steer turn/interrupt turn/settings/update"
    " review/start model/list account/read config/read"
)
"""Requests and notifications of hosts."""

_METHODS: Final = " ".join(sorted({*_CLIENT.split(), *asking.READERS, *grammar.METHODS}))
_STATUSES: Final = "inProgress completed failed declined interrupted"
_DECISIONS: Final = (
    "accept acceptForSession decline cancel approved approved_for_session denied abort timed_out"
)
_INFOS: Final = " ".join(sorted({*codes.INFOS, *codes.CARRIERS, "other", "sandboxError"}))
_CARRIED: Final = "\n".join(
    f"error * codexErrorInfo.{carrier}.httpStatusCode int" for carrier in sorted(codes.CARRIERS)
)
_RULE: Final = "result.decision.applyNetworkPolicyAmendment.network_policy_amendment"
_FLAGS: Final = "waitingOnApproval waitingOnUserInput"

_FRAMES: Final = f"""
# Every frame
frame  *  id                              call
frame  *  method                          enum {_METHODS}
frame  *  emittedAtMs                     when
frame  *  params.threadId                 id
frame  *  params.turnId                   id
frame  *  params.itemId                   id
frame  *  params.conversationId           id
frame  *  params.callId                   id
frame  *  params.requestId                call
frame  *  params.startedAtMs              when
frame  *  params.completedAtMs            when
frame  *  params.turn                     record turn
frame  *  params.item                     record item
frame  *  params.thread                   record thread
frame  *  error.code                      int
frame  *  error.message                   shape
frame  *  error.data                      shape

# Turns and items as they are told
frame  error                 params.error            record error
frame  error                 params.willRetry        bool
frame  item/*                params.contentTokenCount int
frame  item/agentMessage/delta params.delta          delta text
frame  item/plan/delta       params.delta            shape
frame  item/reasoning/*      params.delta            filler
frame  item/reasoning/*      params.summaryIndex     int
frame  item/reasoning/*      params.contentIndex     int
frame  item/commandExecution/outputDelta params.delta shape
frame  item/fileChange/outputDelta params.delta      shape
frame  item/mcpToolCall/progress params.message      shape
frame  turn/plan/updated     params.explanation      text
frame  turn/plan/updated     params.plan[].step      text
frame  turn/plan/updated     params.plan[].status    enum pending inProgress completed
frame  turn/diff/updated     params.diff             shape
frame  thread/tokenUsage/updated params.tokenUsage.**    number
frame  thread/status/changed params.status           record status
frame  thread/readState/changed params.readState.firstUnread.type   word
frame  thread/readState/changed params.readState.firstUnread.turnId id
frame  thread/readState/changed params.readState.revision           id
frame  thread/name/updated   params.threadName       text
frame  model/rerouted        params.fromModel        name
frame  model/rerouted        params.toModel          name
frame  model/rerouted        params.reason           word
frame  warning               params.message          shape
frame  guardianWarning       params.message          shape
frame  configWarning         params.summary          shape
frame  configWarning         params.details          shape
frame  deprecationNotice     params.summary          shape
frame  deprecationNotice     params.details          shape
frame  account/rateLimits/updated params.rateLimits  masked
frame  remoteControl/status/changed params.status         word
frame  remoteControl/status/changed params.serverName     masked
frame  remoteControl/status/changed params.installationId masked
frame  remoteControl/status/changed params.environmentId  masked

# What the agent asks its host
frame  item/commandExecution/requestApproval params.kind      word
frame  item/commandExecution/requestApproval params.command   command
frame  item/commandExecution/requestApproval params.commandActions[] record action
frame  item/commandExecution/requestApproval params.cwd       path
frame  item/commandExecution/requestApproval params.reason    shape
frame  item/commandExecution/requestApproval params.environmentId name
frame  item/commandExecution/requestApproval params.proposedExecpolicyAmendment[] shape
frame  item/commandExecution/requestApproval params.availableDecisions[] enum {_DECISIONS}
frame  item/commandExecution/requestApproval params.availableDecisions[].** shape
frame  item/fileChange/requestApproval params.reason    shape
frame  item/fileChange/requestApproval params.grantRoot path
frame  item/permissions/requestApproval params.reason   shape
frame  item/permissions/requestApproval params.cwd      path
frame  item/permissions/requestApproval params.permissions shape
frame  item/tool/requestUserInput params.questions[].id       id
frame  item/tool/requestUserInput params.questions[].header   text
frame  item/tool/requestUserInput params.questions[].question text
frame  item/tool/requestUserInput params.questions[].isOther  bool
frame  item/tool/requestUserInput params.questions[].isSecret bool
frame  item/tool/requestUserInput params.questions[].options[].label       text
frame  item/tool/requestUserInput params.questions[].options[].description text
frame  item/tool/requestUserInput params.isBlocking       bool
frame  item/tool/requestUserInput params.autoResolutionMs int
frame  mcpServer/elicitation/request params.serverName name
frame  mcpServer/elicitation/request params.mode       word
frame  mcpServer/elicitation/request params.message    text
frame  mcpServer/elicitation/request params.**         shape
frame  execCommandApproval   params.**               shape
frame  applyPatchApproval    params.**               shape

# What the host asks
frame  initialize    params.clientInfo.name          name
frame  initialize    params.clientInfo.title         name
frame  initialize    params.clientInfo.version       version
frame  initialize    params.capabilities.**          masked
frame  turn/start    params.input[]                  record input
frame  turn/steer    params.input[]                  record input
frame  turn/steer    params.expectedTurnId           id
frame  review/start  params.target.type              word
frame  review/start  params.target.**                shape
frame  review/start  params.delivery                 word
frame  thread/*      params.cwd                      path
frame  turn/start    params.cwd                      path
frame  thread/*      params.model                    name
frame  turn/start    params.model                    name
frame  turn/start    params.effort                   word
frame  thread/*      params.sandbox                  word
frame  thread/*      params.approvalPolicy           word
frame  turn/start    params.approvalPolicy           word
frame  thread/*      params.historyMode              word
frame  thread/*      params.excludeTurns             bool
frame  thread/*      params.includeTurns             bool

# What either side answers: a response has no method
frame  *  result.turn                     record turn
frame  *  result.turnId                   id
frame  *  result.reviewThreadId           id
frame  *  result.thread                   record thread
frame  *  result.decision                 enum {_DECISIONS}
frame  *  result.answers.{{id}}.answers[]   shape
frame  *  result.action                   enum accept decline cancel
frame  *  result.content                  shape
frame  *  result.permissions              shape
frame  *  result.scope                    word
frame  *  result.model                    name
frame  *  result.modelProvider            name
frame  *  result.approvalPolicy           word
frame  *  result.approvalsReviewer        word
frame  *  result.cwd                      path
frame  *  result.userAgent                masked
frame  *  result.codexHome                path
frame  *  result.platformFamily           word
frame  *  result.platformOs               word
frame  *  result.sandbox.type             word
frame  *  result.sandbox.**               masked
frame  *  result.**                       masked
frame  *  result.decision.acceptWithExecpolicyAmendment.execpolicy_amendment[] shape
frame  *  {_RULE}.action enum allow deny
frame  *  {_RULE}.**     shape

turn    *  id                             id
turn    *  rootTurnId                     id
turn    *  items[]                        record item
turn    *  itemsView                      enum full summary notLoaded
turn    *  status                         enum {_STATUSES}
turn    *  error                          record error
turn    *  startedAt                      when
turn    *  completedAt                    when
turn    *  durationMs                     int
error   *  message                        shape
error   *  additionalDetails              shape
error   *  codexErrorInfo                 enum {_INFOS}
{_CARRIED}
error   *  codexErrorInfo.activeTurnNotSteerable.turnKind word
error   *  misalignment                   masked
thread  *  id                             id
thread  *  sessionId                      id
thread  *  parentThreadId                 id
thread  *  forkedFromId                   id
thread  *  attachedToThreadId             id
thread  *  turns[]                        record turn
thread  *  status                         record status
thread  *  source                         word
thread  *  source.subAgent.thread_spawn.parent_thread_id id
thread  *  source.subAgent.thread_spawn.** masked
thread  *  threadSource                   word
thread  *  model                          name
thread  *  modelProvider                  name
thread  *  reasoningEffort                word
thread  *  historyMode                    word
thread  *  cliVersion                     version
thread  *  originator                     name
thread  *  cwd                            path
thread  *  path                           path
thread  *  preview                        shape
thread  *  name                           text
thread  *  agentNickname                  masked
thread  *  agentRole                      name
thread  *  ephemeral                      bool
thread  *  canAcceptDirectInput           bool
thread  *  createdAt                      when
thread  *  updatedAt                      when
thread  *  recencyAt                      when
thread  *  **                             masked
status  *  type                           enum active idle systemError notLoaded
status  *  activeFlags[]                  enum {_FLAGS}
input   *  type                           word
input   *  **                             shape
"""

_ITEMS: Final = f"""
item  *                 id                    id
item  *                 type                  word
item  *                 status                enum {_STATUSES}
item  *                 startedAtMs           when
item  *                 completedAtMs         when
item  *                 durationMs            int
item  userMessage       clientId              id
item  userMessage       content[]             record input
item  agentMessage      text                  text
item  agentMessage      phase                 word
item  agentMessage      delivery              word
item  agentMessage      questions[].title     text
item  agentMessage      questions[].options[] text
item  agentMessage      moderation            masked
item  agentMessage      memoryCitation        masked
item  plan              text                  text
item  reasoning         summary[]             filler
item  reasoning         content[]             filler
item  commandExecution  command               command
item  commandExecution  commandActions[]      record action
item  commandExecution  cwd                   path
item  commandExecution  scriptPath            path
item  commandExecution  processId             masked
item  commandExecution  pluginId              name
item  commandExecution  source                word
item  commandExecution  aggregatedOutput      shape
item  commandExecution  exitCode              int
item  fileChange        changes[].path        path
item  fileChange        changes[].kind.type   word
item  fileChange        changes[].kind.move_path path
item  fileChange        changes[].diff        shape
item  mcpToolCall       server                name
item  mcpToolCall       tool                  name
item  mcpToolCall       **                    shape
item  dynamicToolCall   tool                  name
item  dynamicToolCall   namespace             name
item  dynamicToolCall   success               bool
item  dynamicToolCall   **                    shape
item  collabAgentToolCall tool                word
item  collabAgentToolCall senderThreadId      id
item  collabAgentToolCall receiverThreadIds[] id
item  collabAgentToolCall prompt              shape
item  collabAgentToolCall model               name
item  collabAgentToolCall reasoningEffort     word
item  collabAgentToolCall agentsStates.{{id}}.status  word
item  collabAgentToolCall agentsStates.{{id}}.message shape
item  subAgentActivity  agentThreadId         id
item  subAgentActivity  agentPath             masked
item  subAgentActivity  kind                  word
item  subAgentActivity  model                 name
item  subAgentActivity  reasoningEffort       word
item  webSearch         action.type           word
item  webSearch         action.**             shape
item  webSearch         **                    shape
item  imageView         path                  path
item  imageGeneration   status                word
item  imageGeneration   savedPath             path
item  imageGeneration   **                    shape
item  enteredReviewMode review                shape
item  exitedReviewMode  review                text
item  functionCallOutput name                 name
item  functionCallOutput **                   shape
item  hookPrompt        **                    shape
action  *  type                           word
action  *  command                        command
action  *  name                           shape
action  *  path                           path
action  *  query                          shape
"""

MODELS: Final = r"(?:gpt|codex|o[1-9])[a-z0-9.\-]{0,40}"

POLICY: Final = Policy(
    dialect="codex-app-server",
    version=2,
    discriminators={"frame": ("method", "params.item.type"), "item": ("type",)},
    lines=lines(_FRAMES + _ITEMS),
    blocks=Blocks(
        key=("params.threadId", "params.itemId"),
        start="item/started/agentMessage",
        stop="item/completed/agentMessage",
        tool="params.item.tool",
        ends=("item/completed/agentMessage", "error", "turn/completed"),
    ),
    names=codex_items.NAMES.union(("codex", "openai", "local", "default")),
    name_patterns=(MODELS,),
    inner=codex_literals.heads(),
)
