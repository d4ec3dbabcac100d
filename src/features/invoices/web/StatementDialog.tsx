import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Day, formatDay } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import { formatPhone } from '../../../shared/phone.ts'
import { Button } from '../../../ui/Button.tsx'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { copyLink } from '../../../ui/copy.ts'
import { DateField } from '../../../ui/DateField.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { FieldGrid } from '../../../ui/FieldGrid.tsx'
import { FilterChips } from '../../../ui/FilterChips.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { IconDownload, IconLink, IconSend } from '../../../ui/icons.ts'
import { PanelSkeleton } from '../../../ui/Skeleton.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useMay, useToday } from '../../accounts/web/session.ts'
import { isReached, reachWords, unreachedWords } from '../../messages/paperways/rules.ts'
import { type Statement, statementsApi } from '../statements/contract.ts'
import { periodProblem, statementSums, usualPeriods } from '../statements/rules.ts'
import {
  downloadStatement,
  sinceZeroQuery,
  statementQuery,
  useRevokeStatementLink,
  useSendStatement,
  useStatementLink,
} from './data.ts'
import { useOnce } from './useOnce.ts'

type Customer = { id: string; name: string }
type Period = { from: Day; to: Day }

const balanceWords = (cents: number): string =>
  cents < 0 ? `${formatCents(-cents)} credit` : `owes ${formatCents(cents)}`

const Entries = ({ statement }: { statement: Statement }) => (
  <>
    {statement.entries.length === 0 ? (
      <p className="muted">Nothing was charged or paid in this time.</p>
    ) : (
      <ul className="panel-rows inv-statement">
        {statement.entries.map((entry) => (
          <li key={entry.id}>
            <span className="panel-rows__main">
              <b>{entry.label}</b>
              <span className="muted">{formatDay(entry.onDay, { year: true })}</span>
            </span>
            <span className="panel-rows__side num">
              {formatCents(entry.amountCents)}
              <span className="hint">{balanceWords(entry.balanceCents)}</span>
            </span>
          </li>
        ))}
      </ul>
    )}
    <dl className="inv-statement__sums">
      {statementSums(statement).map(({ label, cents, strong }) => (
        <div key={label} className={strong ? 'is-strong' : undefined}>
          <dt>{label}</dt>
          <dd className="num">{formatCents(cents)}</dd>
        </div>
      ))}
    </dl>
  </>
)

const Found = ({ customer, period }: { customer: Customer; period: Period }) => {
  const may = useMay()
  const found = useQuery(statementQuery(customer.id, period))
  const send = useSendStatement(customer.id)
  const once = useOnce()
  if (found.isError)
    return (
      <ErrorState
        compact
        error={found.error}
        title="We could not load the statement"
        onRetry={() => void found.refetch()}
        retrying={found.isFetching}
      />
    )
  if (!found.data) return <PanelSkeleton />
  const { reach } = found.data.customer
  const mail = () =>
    once(() =>
      send.mutateAsync(period).then(
        ({ address }) => toast.success(`The statement is on its way to ${address}`),
        (error) => toast.error(error),
      ),
    )
  return (
    <>
      <Entries statement={found.data} />
      <p className="hint inv-address">
        {isReached(reach)
          ? `It goes to ${reachWords(reach, formatPhone)}.${reach.why ? ` No text goes: ${reach.why}.` : ''}`
          : `${customer.name} ${unreachedWords(reach)}: print the PDF.`}
      </p>
      <FormActions>
        {isReached(reach) && may(statementsApi.send) ? (
          <Button
            calls={statementsApi.send}
            kind="primary"
            icon={<IconSend />}
            loading={send.isPending}
            disabled={found.isPlaceholderData}
            onClick={mail}
          >
            Send it
          </Button>
        ) : null}
        {may(statementsApi.pdf) ? (
          <Button
            icon={<IconDownload />}
            onClick={() => void downloadStatement(customer.id, period).catch(toast.error)}
          >
            PDF
          </Button>
        ) : null}
      </FormActions>
    </>
  )
}

/** The page on which the customer sees what is open and pays it: its address to hand on, and the way to take it back. */
const PageLink = ({ customer }: { customer: Customer }) => {
  const may = useMay()
  const link = useStatementLink(customer.id)
  const revoke = useRevokeStatementLink(customer.id)
  const [asking, setAsking] = useState(false)
  if (!may(statementsApi.link)) return null
  const copy = async () => {
    const { url } = await link.mutateAsync(undefined)
    await copyLink(url)
  }
  return (
    <section className="inv-statement__link">
      <h3>The customer’s page</h3>
      <p className="muted">
        What is open today, how old it is, what was paid, and one payment for all of it. Its link stands in the mail and
        on the PDF; whoever has it sees the page.
      </p>
      <FormActions>
        <Button icon={<IconLink />} loading={link.isPending} onClick={() => void copy().catch(toast.error)}>
          Copy link
        </Button>
        <Button kind="quiet" onClick={() => setAsking(true)}>
          Take the link back
        </Button>
      </FormActions>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title="Take the link back?"
        confirmLabel="Take it back"
        danger
        onConfirm={async () => {
          const { revoked } = await revoke.mutateAsync(undefined)
          setAsking(false)
          if (revoked) toast.success('The link opens nothing any more')
          else toast.message('No link is out')
        }}
      >
        The link in every statement that {customer.name} has so far stops working. The next statement has a new one.
      </ConfirmDialog>
    </section>
  )
}

const Fields = ({ customer }: { customer: Customer }) => {
  const today = useToday()
  const zero = useQuery(sinceZeroQuery(customer.id))
  const since = zero.data?.from
  const usual = [
    ...usualPeriods(today),
    ...(since ? [{ id: 'zero', label: 'Since they last owed nothing', from: since, to: today }] : []),
  ]
  const [from, setFrom] = useState<Day | null>(usual[0]?.from ?? today)
  const [to, setTo] = useState<Day | null>(today)
  const chosen = usual.find((one) => one.from === from && one.to === to)
  const problem = from && to ? periodProblem(from, to) : 'Choose the first and the last day.'
  return (
    <div className="inv-statement__fields">
      <FilterChips
        label="Period"
        single
        chips={usual.map(({ id, label }) => ({ value: id, label }))}
        values={chosen ? [chosen.id] : []}
        onChange={([id]) => {
          const next = usual.find((one) => one.id === id)
          if (!next) return
          setFrom(next.from)
          setTo(next.to)
        }}
      />
      <FieldGrid min={200}>
        <DateField label="From" value={from} onChange={setFrom} today={today} max={today} />
        <DateField label="To" value={to} onChange={setTo} today={today} max={today} />
      </FieldGrid>
      {problem || !from || !to ? (
        <p role="alert" className="muted">
          {problem}
        </p>
      ) : (
        <Found customer={customer} period={{ from, to }} />
      )}
      <PageLink customer={customer} />
    </div>
  )
}

/** What one customer owed and paid from a day to a day, to look at, print and mail. */
export const StatementDialog = ({
  customer,
  open,
  onClose,
}: {
  customer: Customer
  open: boolean
  onClose: () => void
}) => (
  <Dialog open={open} onClose={onClose} title={`Statement of ${customer.name}`}>
    <Fields key={String(open)} customer={customer} />
  </Dialog>
)
