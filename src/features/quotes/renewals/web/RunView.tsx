import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { counted } from '../../../../shared/counted.ts'
import { formatDay } from '../../../../shared/dates.ts'
import { linkTo } from '../../../../shared/links.ts'
import { formatCents, formatPercent } from '../../../../shared/money.ts'
import { Banner } from '../../../../ui/Banner.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { ConfirmDialog } from '../../../../ui/ConfirmDialog.tsx'
import { ErrorState } from '../../../../ui/ErrorState.tsx'
import { IconArrowBackUp, IconPencil, IconRepeat, IconSend } from '../../../../ui/icons.ts'
import { PageHeader } from '../../../../ui/PageHeader.tsx'
import { Progress } from '../../../../ui/Progress.tsx'
import { CardSkeleton } from '../../../../ui/Skeleton.tsx'
import { Stat } from '../../../../ui/Stat.tsx'
import { StatRow } from '../../../../ui/StatRow.tsx'
import { toast } from '../../../../ui/toast.tsx'
import { percentOf } from '../../rules.ts'
import { type RunRecord, renewalsApi } from '../contract.ts'
import { runQuery, useRunVerb, useSendRun } from './data.ts'
import { EditRun } from './EditRun.tsx'
import { RunRows } from './RunRows.tsx'

/** How far the background is, or null when it rests. */
const Working = ({ run }: { run: RunRecord }) => {
  const { counts, status } = run
  const all = Object.entries(counts).reduce((sum, [answer, n]) => (answer === 'excluded' ? sum : sum + n), 0)
  if (status === 'collecting')
    return (
      <Banner tone="info" title="The list is being put together.">
        {counted(all, 'job is', 'jobs are')} on it so far.
      </Banner>
    )
  if (status === 'sending')
    return (
      <Progress
        label={`Sending: ${(all - counts.open).toLocaleString('en-US')} of ${all.toLocaleString('en-US')}`}
        value={all - counts.open}
        max={Math.max(1, all)}
        tone="now"
      />
    )
  if (status === 'withdrawing') return <Banner tone="info">What nobody answered is being taken back.</Banner>
  return null
}

const changeOf = ({ beforeCents, afterCents }: RunRecord): string => {
  const percent = percentOf(afterCents - beforeCents, beforeCents)
  return percent === null
    ? 'nothing on the list'
    : `${formatPercent(percent, { signed: true })} on ${formatCents(beforeCents)} at today’s prices`
}

const Figures = ({ run }: { run: RunRecord }) => {
  const { counts, status } = run
  const isDraft = status === 'draft' || status === 'collecting'
  return (
    <StatRow>
      <Stat
        label={isDraft ? 'Next season' : 'Offered'}
        value={formatCents(run.afterCents)}
        note={changeOf(run)}
        tone={run.afterCents > run.beforeCents ? 'good' : 'plain'}
      />
      {isDraft ? (
        <>
          <Stat
            label="On the list"
            value={counts.open.toLocaleString('en-US')}
            note={`jobs of ${counted(run.customers, 'customer', 'customers')}${run.unreached > 0 ? `, ${run.unreached.toLocaleString('en-US')} without an address to send it to` : ''}`}
            tone={run.unreached > 0 ? 'bad' : 'plain'}
          />
          <Stat
            label="Left out"
            value={counts.excluded.toLocaleString('en-US')}
            note={counts.excluded > 0 ? 'see why in the list' : 'nobody'}
          />
        </>
      ) : (
        <>
          <Stat
            label="Renewed"
            value={formatCents(run.acceptedCents)}
            note={`${counted(counts.accepted + counts.to_pay, 'yes', 'yes')}${counts.to_pay > 0 ? `, ${counts.to_pay} to be paid` : ''}`}
            tone="good"
          />
          <Stat
            label="Waiting"
            value={formatCents(run.waitingCents)}
            note={`${counted(counts.waiting, 'answer', 'answers')} by ${formatDay(run.answerBy)}${counts.changes > 0 ? `, ${counted(counts.changes, 'wish', 'wishes')} for changes` : ''}`}
          />
          <Stat
            label="Lost"
            value={formatCents(run.lostCents)}
            note={`${counts.declined} said no, ${counts.no_answer} without an answer`}
            tone={run.lostCents > 0 ? 'bad' : 'plain'}
          />
        </>
      )}
    </StatRow>
  )
}

const Actions = ({ run }: { run: RunRecord }) => {
  const [asking, setAsking] = useState<'send' | 'withdraw' | 'edit' | null>(null)
  const send = useSendRun()
  const retry = useRunVerb('retry')
  const withdraw = useRunVerb('withdraw')
  const { can, counts } = run
  const ways = [run.byMail ? 'e-mail' : null, run.byText ? 'text' : null].filter(Boolean).join(' and ')
  const isDraft = run.status === 'draft' || run.status === 'collecting'
  const unanswered = counts.waiting + counts.changes + counts.failed + counts.open
  return (
    <>
      {can.update ? (
        <Button icon={<IconPencil />} calls={renewalsApi.update} onClick={() => setAsking('edit')}>
          Prices and words
        </Button>
      ) : null}
      {can.retry ? (
        <Button
          icon={<IconRepeat />}
          calls={renewalsApi.retry}
          loading={retry.isPending}
          onClick={() => void retry.mutateAsync(run).catch(toast.error)}
        >
          Send the {counts.failed} again
        </Button>
      ) : null}
      {can.withdraw ? (
        <Button
          icon={<IconArrowBackUp />}
          kind={isDraft ? 'quiet' : 'secondary'}
          calls={renewalsApi.withdraw}
          onClick={() => setAsking('withdraw')}
        >
          {isDraft ? 'Discard' : 'Take back'}
        </Button>
      ) : null}
      {can.send ? (
        <Button
          kind="primary"
          icon={<IconSend />}
          calls={renewalsApi.send}
          disabled={counts.open === run.unreached}
          onClick={() => setAsking('send')}
        >
          Send {(counts.open - run.unreached).toLocaleString('en-US')}
        </Button>
      ) : null}
      <ConfirmDialog
        open={asking === 'send'}
        onClose={() => setAsking(null)}
        title={`Send ${counted(counts.open - run.unreached, 'renewal', 'renewals')}?`}
        confirmLabel={`Send ${counted(counts.open - run.unreached, 'renewal', 'renewals')}`}
        onConfirm={async () => {
          await send.mutateAsync({
            params: { id: run.id },
            body: { version: run.version, expected: { count: counts.open, afterCents: run.afterCents } },
          })
          setAsking(null)
        }}
      >
        <p>
          By {ways}, for {formatCents(run.afterCents)} in all before tax. They can answer until{' '}
          {formatDay(run.answerBy, { year: true })};{' '}
          {run.mode === 'auto' ? 'who does not say no renews by itself.' : 'who does not answer does not renew.'}
        </p>
        {run.unreached > 0 ? (
          <p>
            <b>{counted(run.unreached, 'job has', 'jobs have')} a customer without an address for this.</b> They are
            named on the list as not sent: add an e-mail or a phone number, then send those again.
          </p>
        ) : null}
        <p>Messages leave five minutes later, so that you can still take it back.</p>
      </ConfirmDialog>
      <ConfirmDialog
        open={asking === 'withdraw'}
        onClose={() => setAsking(null)}
        title={isDraft ? 'Discard this list?' : `Take back ${counted(unanswered, 'renewal', 'renewals')}?`}
        confirmLabel={isDraft ? 'Discard the list' : 'Take them back'}
        danger
        onConfirm={async () => {
          await withdraw.mutateAsync(run)
          setAsking(null)
        }}
      >
        {isDraft
          ? 'Nothing was sent. The jobs stay as they are.'
          : 'Links of renewals that nobody answered open nothing any more, and messages that have not left stay here. What was signed stays as it is.'}
      </ConfirmDialog>
      {asking === 'edit' ? <EditRun run={run} onClose={() => setAsking(null)} /> : null}
    </>
  )
}

/** One renewal: its sums, its list with everybody's price, and what they answered. */
export const RunView = ({ id }: { id: string }) => {
  const found = useQuery(runQuery(id))
  const run = found.data
  if (!run)
    return found.isError ? (
      <>
        <PageHeader title="Renewal" back={{ href: linkTo.renewals(), label: 'Renewals' }} />
        <ErrorState error={found.error} title="We could not load this renewal" onRetry={() => void found.refetch()} />
      </>
    ) : (
      <CardSkeleton />
    )
  return (
    <>
      <PageHeader
        title={run.name}
        sub={`From ${formatDay(run.startsOn, { year: true })}${run.endsOn ? ` to ${formatDay(run.endsOn, { year: true })}` : ''} · ${
          run.mode === 'auto' ? 'renews by itself' : 'needs a yes'
        } · answers by ${formatDay(run.answerBy, { year: true })}${
          run.prepayPercent > 0 ? ` · ${formatPercent(run.prepayPercent / 100)} less for paying ahead` : ''
        }`}
        back={{ href: linkTo.renewals(), label: 'Renewals' }}
        actions={<Actions run={run} />}
      />
      <Working run={run} />
      {run.prepayPercent > 0 && !run.takesCards && run.status === 'draft' ? (
        <div className="rn-note">
          <Banner tone="warn">Cards are not set up yet: who wants to pay ahead is asked to call you.</Banner>
        </div>
      ) : null}
      <Figures run={run} />
      <RunRows run={run} />
    </>
  )
}
