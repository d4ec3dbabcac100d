import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { formatCents } from '../../../shared/money.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { CheckboxField } from '../../../ui/CheckboxField.tsx'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { PanelSkeleton } from '../../../ui/Skeleton.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { useOwner } from '../../owner/web/session.ts'
import { feeApi } from '../../prospects/fee/contract.ts'
import { sprintApi } from '../../prospects/sprint/contract.ts'
import { sprintQuery } from './data.ts'
import { dayLabel, messageOf } from './labels.ts'
import { useNotify } from './notice.ts'

const statusLabel: Readonly<Record<string, string>> = {
  applied: 'Applied',
  queued: 'In the queue',
  declined: 'Declined',
  admitted: 'Admitted',
  running: 'Setup Sprint running',
  finished: 'Setup Sprint finished',
  missed: 'A step was missed',
}

const feeMessage: Readonly<Record<string, string>> = {
  due: 'due: confirm or waive it',
  confirmed: 'confirmed',
  waived: 'waived',
  paid: 'paid',
}

type Decision = 'admit' | 'queue' | 'decline' | 'confirmFee' | 'waiveFee'

const said: Readonly<Record<Decision, string>> = {
  admit: 'Admitted to the Setup Sprint',
  queue: 'Put on the list for a later month',
  decline: 'Application declined',
  confirmFee: 'Onboarding fee confirmed',
  waiveFee: 'Onboarding fee waived',
}

/** Answers of the application, the decision, the steps of the Sprint and its fee. */
export const LeadSprint = ({ leadId }: { leadId: string }) => {
  const { ask } = useOwner()
  const notify = useNotify()
  const client = useQueryClient()
  const [note, setNote] = useState('')
  const found = useQuery(sprintQuery(ask, leadId))
  const keep = (data: unknown) => {
    client.setQueryData(sprintQuery(ask, leadId).queryKey, data as never)
    void client.invalidateQueries({ queryKey: ['desk', 'leads'] })
  }
  const decide = useMutation({
    mutationFn: (decision: Decision) => ask(sprintApi[decision], { params: { leadId }, body: { note } }),
    onSuccess: (data, decision) => {
      keep(data)
      setNote('')
      notify('done', said[decision])
    },
    onError: (error) => notify('error', messageOf(error)),
  })
  const tick = useMutation({
    mutationFn: (body: { step: never; done: boolean }) => ask(sprintApi.tick, { params: { leadId }, body }),
    onSuccess: keep,
    onError: (error) => notify('error', messageOf(error)),
  })
  const send = useMutation({
    mutationFn: () => ask(feeApi.send, { params: { leadId } }),
    onSuccess: (data) => {
      const isNew = data.feeLinkSentAt !== found.data?.feeLinkSentAt
      keep(data)
      notify(
        'done',
        isNew ? 'The checkout link is on its way' : 'The link was mailed today already; it was not sent twice',
      )
    },
    onError: (error) => notify('error', messageOf(error)),
  })
  if (found.isError && !found.data)
    return <p className="hint">The application could not be loaded: {messageOf(found.error)}</p>
  if (!found.data) return <PanelSkeleton />
  const { answers, appliedAt, sprint, places, note: kept, feeNote, feeUrl, feeLinkSentAt, feePaidAt } = found.data
  const decision = (name: Decision, label: string, primary = false) => (
    <Button
      size="s"
      {...(primary ? { kind: 'primary' as const } : {})}
      loading={decide.isPending && decide.variables === name}
      disabled={decide.isPending}
      onClick={() => decide.mutate(name)}
    >
      {label}
    </Button>
  )
  const open = !sprint || ['applied', 'queued', 'declined'].includes(sprint.status)
  return (
    <section className="desk-sprint" aria-labelledby="desk-sprint">
      <header>
        <h3 id="desk-sprint">Application &amp; Sprint</h3>
        {sprint ? <Badge tone={open ? 'wait' : 'done'}>{statusLabel[sprint.status] ?? sprint.status}</Badge> : null}
        <span className="hint num">
          {places.left} of {places.limit} places left this month
        </span>
      </header>
      {answers.some(({ answer }) => answer !== '') ? (
        <dl>
          {answers.map(({ question, answer }) => (
            <div key={question}>
              <dt>{question}</dt>
              <dd>{answer || <span className="hint">not answered</span>}</dd>
            </div>
          ))}
        </dl>
      ) : (
        <p className="hint">No application yet.</p>
      )}
      {appliedAt ? <p className="hint">Applied {dayLabel(appliedAt)}</p> : null}
      {kept ? <p className="hint">Note: {kept}</p> : null}
      {open ? (
        <div className="desk-sprint__acts">
          <TextField label="Note" optional value={note} onChange={setNote} maxLength={500} autoComplete="off" />
          {decision('admit', 'Admit', true)}
          {sprint?.status === 'queued' ? null : decision('queue', 'Queue')}
          {sprint?.status === 'declined' ? null : decision('decline', 'Decline')}
        </div>
      ) : null}
      {sprint && !open ? (
        <>
          <p className="hint">
            {sprint.startedAt ? `Since ${dayLabel(sprint.startedAt)}` : 'Begins with the first call'}
            {sprint.endsAt ? `, until ${dayLabel(sprint.endsAt)}` : ''}
          </p>
          <ul className="desk-steps">
            {sprint.steps.map((step) => (
              <li key={step.step}>
                <CheckboxField
                  label={step.label}
                  value={step.state === 'done'}
                  disabled={tick.isPending}
                  onChange={(done) => tick.mutate({ step: step.step as never, done })}
                />
                <span className={step.state === 'missed' ? 'desk-wrong' : 'hint'}>
                  {step.doneAt
                    ? `done ${dayLabel(step.doneAt)}`
                    : step.state === 'missed'
                      ? 'missed'
                      : step.dueAt
                        ? `due ${dayLabel(step.dueAt)}`
                        : ''}
                </span>
              </li>
            ))}
          </ul>
          {sprint.feeStatus === 'none' ? null : (
            <div className="desk-fee">
              <b className="num">
                Onboarding fee {formatCents(sprint.feeCents)}: {feeMessage[sprint.feeStatus] ?? sprint.feeStatus}
              </b>
              {feeNote ? <span className="hint">Note: {feeNote}</span> : null}
              {feePaidAt ? <span className="hint">Paid {dayLabel(feePaidAt)}</span> : null}
              {feeUrl ? (
                <div className="desk-sprint__acts">
                  <LinkTo href={feeUrl}>Checkout link</LinkTo>
                  <Button size="s" kind="primary" loading={send.isPending} onClick={() => send.mutate()}>
                    Mail the checkout link
                  </Button>
                  <span className="hint">
                    {feeLinkSentAt ? `Mailed ${dayLabel(feeLinkSentAt)}` : 'Nothing was mailed yet'}
                  </span>
                  {decision('waiveFee', 'Waive fee')}
                </div>
              ) : null}
              {sprint.feeStatus === 'due' ? (
                <div className="desk-sprint__acts">
                  <TextField label="Note" optional value={note} onChange={setNote} maxLength={500} autoComplete="off" />
                  {decision('confirmFee', 'Confirm fee', true)}
                  {decision('waiveFee', 'Waive fee')}
                </div>
              ) : null}
            </div>
          )}
        </>
      ) : null}
    </section>
  )
}
