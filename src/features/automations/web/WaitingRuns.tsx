import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { dayOf, formatDay, formatTime } from '../../../shared/dates.ts'
import { linkTo } from '../../../shared/links.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { LoadMore } from '../../../ui/LoadMore.tsx'
import { TextAreaField } from '../../../ui/TextAreaField.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useUser } from '../../accounts/web/session.ts'
import { templateProblem } from '../../messages/templates/rules.ts'
import { type AutomationRun, automationRunsApi } from '../contract.ts'
import { automationVariables, longestSubject, longestText, mostAtOnce } from '../rules.ts'
import { runsQuery, useApprove, useApproveAll, useDrop, useEditRun } from './data.ts'

const ways = { sms: 'By text', email: 'By e-mail' } as const

/** What became of one that was approved, in words. */
const saidOf = ({ status, reason, customer, channel }: AutomationRun): string =>
  status === 'sent'
    ? `On its way to ${customer.name}`
    : status === 'waiting'
      ? `Not sent: it would leave ${channel === 'email' ? 'as an e-mail' : 'as a text'} by now. Look at it once more.`
      : `Not sent: ${reason ?? 'something changed'}`

const wrongIn = (typed: string): string | undefined => templateProblem(typed)?.replace(' Nothing was saved.', '')

/** The words of one message with their variables, so that no day and no sum stands still in them. */
const EditDialog = ({ run, onClose }: { run: AutomationRun; onClose: () => void }) => {
  const [text, setText] = useState(run.draft?.words.text ?? '')
  const [subject, setSubject] = useState(run.draft?.words.subject ?? '')
  const wrong = { subject: wrongIn(subject), text: wrongIn(text) }
  const edit = useEditRun()
  const save = async () => {
    const words = run.channel === 'email' ? { subject, text } : { text }
    await edit.mutateAsync({ params: { id: run.id }, body: { ...words, version: run.version } })
    toast.success('These words are for this one alone')
    onClose()
  }
  return (
    <Dialog open onClose={onClose} title={`To ${run.customer.name}`}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          save().catch(toast.error)
        }}
      >
        <div className="au-part">
          {run.channel === 'email' ? (
            <TextField
              label="Subject"
              value={subject}
              onChange={setSubject}
              maxLength={longestSubject}
              error={wrong.subject}
            />
          ) : null}
          <TextAreaField
            label="Message"
            rows={5}
            value={text}
            onChange={setText}
            maxLength={longestText}
            error={wrong.text}
            autoFocus
          />
          <p className="hint">
            What stands in braces is filled in as it leaves: {automationVariables.map((name) => `{${name}}`).join(', ')}
            .
          </p>
          <FormActions>
            <Button
              calls={automationRunsApi.edit}
              type="submit"
              kind="primary"
              loading={edit.isPending}
              disabled={
                text.trim() === '' ||
                Boolean(wrong.text ?? wrong.subject) ||
                (run.channel === 'email' && subject.trim() === '')
              }
            >
              Save words
            </Button>
            <Button onClick={onClose}>Cancel</Button>
          </FormActions>
        </div>
      </form>
    </Dialog>
  )
}

const Row = ({ run, onEdit }: { run: AutomationRun; onEdit: () => void }) => {
  const { timeZone } = useUser().business
  const [approve, drop] = [useApprove(), useDrop()]
  const params = { id: run.id }
  const yes = { params, body: { version: run.version, seal: run.seal ?? '' } }
  const busy = approve.isPending || drop.isPending
  return (
    <li className="au-run" aria-label={`To ${run.customer.name}`}>
      <div className="au-run__head">
        <LinkTo href={linkTo.customer(run.customer.id)}>{run.customer.name}</LinkTo>
        <span className="hint">
          {run.automation.name} · {run.channel ? ways[run.channel] : ''} · due {formatDay(dayOf(run.dueAt, timeZone))},{' '}
          {formatTime(run.dueAt, timeZone)}
        </span>
      </div>
      {run.draft ? (
        <p className="au-bubble" lang={run.draft.language}>
          {run.channel === 'email' && run.draft.subject ? <b>{`${run.draft.subject}\n`}</b> : null}
          {run.draft.text}
        </p>
      ) : null}
      {run.problem ? <Banner tone="warn">{run.problem}. Write what belongs there, or drop it.</Banner> : null}
      <div className="au-acts">
        {run.can.approve ? (
          <Button
            calls={automationRunsApi.approve}
            size="s"
            disabled={busy}
            loading={approve.isPending}
            aria-label={`Send to ${run.customer.name}`}
            onClick={() => void approve.mutateAsync(yes).then((now) => toast.message(saidOf(now)), toast.error)}
          >
            Send
          </Button>
        ) : null}
        {run.can.edit ? (
          <Button
            calls={automationRunsApi.edit}
            size="s"
            kind="quiet"
            disabled={busy}
            aria-label={`Edit words to ${run.customer.name}`}
            onClick={onEdit}
          >
            Edit
          </Button>
        ) : null}
        {run.can.drop ? (
          <Button
            calls={automationRunsApi.drop}
            size="s"
            kind="quiet"
            disabled={busy}
            aria-label={`Drop the message to ${run.customer.name}`}
            onClick={() =>
              void drop
                .mutateAsync({ params, body: { version: run.version } })
                .then(() => toast.message('Dropped. Nothing was sent.'), toast.error)
            }
          >
            Drop
          </Button>
        ) : null}
      </div>
    </li>
  )
}

/** Messages that leave once somebody says yes; nothing where none waits. */
export const WaitingRuns = ({ automationId }: { automationId?: string }) => {
  const list = useInfiniteQuery(runsQuery({ show: 'waiting', ...(automationId ? { automationId } : {}) }))
  const [editing, setEditing] = useState<AutomationRun | null>(null)
  const [all, setAll] = useState<AutomationRun[] | null>(null)
  const sendAll = useApproveAll()
  const items = list.data?.pages.flatMap((page) => page.items) ?? []
  if (items.length === 0 && editing === null && all === null) return null
  const ready = items.filter(({ can, problem }) => can.approve && problem === null).slice(0, mostAtOnce)
  return (
    <Card
      title="Waiting for your yes"
      hint="Nothing of this leaves before somebody sends it. After a week it is too old."
      actions={
        ready.length > 1 ? (
          <Button calls={automationRunsApi.approveAll} kind="primary" onClick={() => setAll(ready)}>
            Send all {ready.length}
          </Button>
        ) : null
      }
    >
      <ul className="au-list" aria-label="Waiting for your yes">
        {items.map((run) => (
          <Row key={run.id} run={run} onEdit={() => setEditing(run)} />
        ))}
      </ul>
      <LoadMore
        hasMore={list.hasNextPage}
        loading={list.isFetchingNextPage}
        failed={list.isFetchNextPageError}
        onMore={() => void list.fetchNextPage()}
        shown={items.length}
      />
      {editing ? <EditDialog key={editing.id} run={editing} onClose={() => setEditing(null)} /> : null}
      <ConfirmDialog
        open={all !== null}
        onClose={() => setAll(null)}
        title={`Send ${all?.length ?? 0} messages?`}
        confirmLabel="Send all"
        onConfirm={async () => {
          const runs = (all ?? []).map(({ id, version, seal }) => ({ id, version, seal: seal ?? '' }))
          const { sent, notSent, changed } = await sendAll.mutateAsync({ runs })
          toast.success(
            [
              `${sent} on their way`,
              notSent > 0 ? `${notSent} not sent: see the history` : '',
              changed > 0 ? `${changed} would read otherwise by now: look at them once more` : '',
            ]
              .filter(Boolean)
              .join(', '),
          )
        }}
      >
        They leave as you see them. Each is looked at once more: who said STOP, was written to often enough, or has
        another answer by now gets nothing.
      </ConfirmDialog>
    </Card>
  )
}
