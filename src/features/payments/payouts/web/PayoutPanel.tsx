import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatDay } from '../../../../shared/dates.ts'
import { linkTo } from '../../../../shared/links.ts'
import { formatCents } from '../../../../shared/money.ts'
import { Badge, type Tone } from '../../../../ui/Badge.tsx'
import { Banner } from '../../../../ui/Banner.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { ErrorState } from '../../../../ui/ErrorState.tsx'
import { IconDownload, IconExternalLink } from '../../../../ui/icons.ts'
import { KeyValue } from '../../../../ui/KeyValue.tsx'
import { LinkTo } from '../../../../ui/LinkTo.tsx'
import { LoadMore } from '../../../../ui/LoadMore.tsx'
import { RecordFailed } from '../../../../ui/RecordFailed.tsx'
import { RecordPanel } from '../../../../ui/RecordPanel.tsx'
import { PanelSkeleton } from '../../../../ui/Skeleton.tsx'
import { toast } from '../../../../ui/toast.tsx'
import type { Payout, PayoutLine, PayoutSummary } from '../contract.ts'
import { differenceWords, failedWords, lineLabels, stateLabels } from '../rules.ts'
import { downloadPayout, payoutLinesQuery, payoutQuery } from './data.ts'
import './payouts.css'

const tones: Record<PayoutSummary['state'], Tone> = {
  on_its_way: 'wait',
  paid: 'done',
  failed: 'late',
  canceled: 'neutral',
}

/** Where a payout is, and that no real money moved where none did. */
export const PayoutBadge = ({ payout }: { payout: Pick<PayoutSummary, 'state' | 'livemode'> }) => (
  <>
    <Badge tone={tones[payout.state]}>{stateLabels[payout.state]}</Badge>
    {payout.livemode ? null : <Badge tone="flag">Test</Badge>}
  </>
)

/** What came in and went out by kind, what the provider kept, and what of it reaches the bank. */
const Sums = ({ payout }: { payout: Payout }) => {
  const feesOfTheirOwn = payout.sums.find(({ kind }) => kind === 'fee')?.amountCents ?? 0
  return (
    <KeyValue
      labelWidth={190}
      items={[
        ...payout.sums
          .filter(({ kind }) => kind !== 'fee')
          .map(({ kind, count, amountCents }) => ({
            label: `${count.toLocaleString('en-US')} ${lineLabels[kind][count === 1 ? 'one' : 'many'].toLowerCase()}`,
            value: <span className="num">{formatCents(amountCents)}</span>,
          })),
        payout.feeCents !== 0 || feesOfTheirOwn !== 0
          ? {
              label: 'Processing fees',
              value: payout.feeExpenseId ? (
                <LinkTo href={linkTo.expense(payout.feeExpenseId)}>
                  <span className="num">{formatCents(-payout.feeCents)}</span>
                </LinkTo>
              ) : (
                <span className="num">{formatCents(-payout.feeCents)}</span>
              ),
            }
          : null,
        payout.differenceCents !== 0
          ? { label: 'Difference', value: <span className="num">{formatCents(payout.differenceCents)}</span> }
          : null,
        {
          label: <b>{payout.state === 'paid' ? 'Reached your bank' : 'Payout'}</b>,
          value: <b className="num">{formatCents(payout.amountCents)}</b>,
        },
      ]}
    />
  )
}

const Line = ({ line }: { line: PayoutLine }) => {
  const label = lineLabels[line.kind].one
  const ofSwath = line.kind === 'fee' || line.kind === 'other' || line.kind === 'returned' || line.customer !== null
  return (
    <li>
      <span className="panel-rows__main">
        <b>
          {line.disputeId ? <LinkTo href={linkTo.dispute(line.disputeId)}>{label}</LinkTo> : label}
          {line.customer ? (
            <>
              {' '}
              <LinkTo href={linkTo.customer(line.customer.id, { part: 'invoices' })}>{line.customer.name}</LinkTo>
            </>
          ) : null}
        </b>
        <span className="muted">
          {line.invoices.map(({ id, number }) => (
            <span key={id}>
              <LinkTo href={linkTo.invoice(id)}>INV-{number}</LinkTo>{' '}
            </span>
          ))}
          {[line.receipt, line.customer ? '' : line.words, ofSwath ? '' : 'not taken through Swath']
            .filter(Boolean)
            .join(' · ')}
        </span>
      </span>
      <span className="panel-rows__side num">
        {formatCents(line.amountCents)}
        {line.feeCents === 0 ? null : <span className="hint">fee {formatCents(line.feeCents)}</span>}
      </span>
    </li>
  )
}

const Lines = ({ payout }: { payout: Payout }) => {
  const found = useInfiniteQuery(payoutLinesQuery(payout.id))
  const rows = found.data?.pages.flatMap(({ items }) => items)
  if (payout.linesTold === 'never')
    return (
      <p className="muted">
        This payout was asked for by hand at the card provider, which does not say what such a payout is made of.
      </p>
    )
  if (found.isError && !rows)
    return (
      <ErrorState
        compact
        error={found.error}
        title="We could not load what this payout is made of"
        onRetry={() => void found.refetch()}
        retrying={found.isFetching}
      />
    )
  if (!rows) return <PanelSkeleton />
  if (rows.length === 0)
    return <p className="muted">The card provider has not said yet what it is made of. It does so within an hour.</p>
  return (
    <section>
      <h3>What it is made of</h3>
      <ul className="panel-rows">
        {rows.map((line) => (
          <Line key={line.id} line={line} />
        ))}
      </ul>
      {payout.lineCount > rows.length || found.hasNextPage ? (
        <LoadMore
          hasMore={found.hasNextPage}
          loading={found.isFetchingNextPage}
          failed={found.isFetchNextPageError}
          onMore={() => void found.fetchNextPage()}
          shown={rows.length}
          total={payout.lineCount}
        />
      ) : null}
    </section>
  )
}

/** What the state of a payout asks of a person. */
const Said = ({ payout }: { payout: Payout }) => {
  const difference = differenceWords(payout.differenceCents)
  return (
    <>
      {payout.state === 'failed' ? (
        <Banner
          tone="warn"
          title="Your bank did not take it"
          action={
            payout.dashboardUrl ? (
              <Button href={payout.dashboardUrl} newTab icon={<IconExternalLink />}>
                Check the bank account
              </Button>
            ) : undefined
          }
        >
          {failedWords(payout.amountCents, payout.failure)}
        </Banner>
      ) : null}
      {payout.state === 'canceled' ? (
        <Banner tone="info">It was canceled at the card provider. The money goes out with a later payout.</Banner>
      ) : null}
      {difference ? (
        <Banner tone="warn" title="It does not add up">
          It is {difference}
        </Banner>
      ) : null}
    </>
  )
}

type Props = {
  id: string
  onClose: () => void
  onPrevious?: (() => void) | undefined
  onNext?: (() => void) | undefined
}

/** One payout: when it comes, what it comes to, and the payments and invoices behind it. */
export const PayoutPanel = ({ id, onClose, onPrevious, onNext }: Props) => {
  const found = useQuery(payoutQuery(id))
  const [loading, setLoading] = useState(false)
  const payout = found.data
  const save = async () => {
    setLoading(true)
    await downloadPayout(id).catch(toast.error)
    setLoading(false)
  }
  return (
    <RecordPanel
      open
      onClose={onClose}
      onPrevious={onPrevious}
      onNext={onNext}
      width={520}
      title={payout ? `Payout of ${formatCents(payout.amountCents)}` : 'Payout'}
      badge={payout ? <PayoutBadge payout={payout} /> : null}
      sub={
        payout
          ? `${payout.state === 'on_its_way' ? 'Comes' : payout.state === 'paid' ? 'Came' : 'Was to come'} ${formatDay(payout.arrivesOn, { year: true })}, made ${formatDay(payout.madeOn)}`
          : undefined
      }
      footer={
        payout && payout.lineCount > 0 ? (
          <Button icon={<IconDownload />} loading={loading} onClick={() => void save()}>
            Download CSV
          </Button>
        ) : undefined
      }
    >
      {found.isError && !payout ? (
        <RecordFailed
          what="payout"
          error={found.error}
          onClose={onClose}
          onRetry={found.refetch}
          retrying={found.isFetching}
        />
      ) : payout ? (
        <div className="payout-panel">
          <Said payout={payout} />
          <Sums payout={payout} />
          <Lines payout={payout} />
        </div>
      ) : (
        <PanelSkeleton />
      )}
    </RecordPanel>
  )
}
