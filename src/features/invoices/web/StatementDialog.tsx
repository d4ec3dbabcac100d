import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Day, formatDay } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import { Button } from '../../../ui/Button.tsx'
import { DateField } from '../../../ui/DateField.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { FieldGrid } from '../../../ui/FieldGrid.tsx'
import { FilterChips } from '../../../ui/FilterChips.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { IconDownload, IconSend } from '../../../ui/icons.ts'
import { PanelSkeleton } from '../../../ui/Skeleton.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useMay, useToday } from '../../accounts/web/session.ts'
import { type Statement, statementsApi } from '../statements/contract.ts'
import { periodProblem, statementSums, usualPeriods } from '../statements/rules.ts'
import { downloadStatement, statementQuery, useSendStatement } from './data.ts'
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
  const { email } = found.data.customer
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
        {email ? `By mail it goes to ${email}.` : `${customer.name} has no e-mail on file: print the PDF.`}
      </p>
      <FormActions>
        {email && may(statementsApi.send) ? (
          <Button
            calls={statementsApi.send}
            kind="primary"
            icon={<IconSend />}
            loading={send.isPending}
            disabled={found.isPlaceholderData}
            onClick={mail}
          >
            Mail it
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

const Fields = ({ customer }: { customer: Customer }) => {
  const today = useToday()
  const usual = usualPeriods(today)
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
