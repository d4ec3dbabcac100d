import { useState } from 'react'
import { linkTo } from '../../../../shared/links.ts'
import { formatCents, lineCents } from '../../../../shared/money.ts'
import { Banner } from '../../../../ui/Banner.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { FormActions } from '../../../../ui/FormActions.tsx'
import { MoneyField } from '../../../../ui/MoneyField.tsx'
import { SelectField } from '../../../../ui/SelectField.tsx'
import { quoteName } from '../../rules.ts'
import { type RenewalRow, type RunRecord, renewalsApi } from '../contract.ts'
import { answerLabel, type Raise, raisedCents } from '../rules.ts'
import { useChangeRenewal } from './data.ts'
import { RaiseFields } from './RaiseFields.tsx'

type Props = { run: RunRecord; row: RenewalRow; onClose: () => void }

/** One customer's prices: another raise, or each price by hand. What was sent is looked at instead. */
export const EditRenewal = ({ run, row, onClose }: Props) => {
  const [own, setOwn] = useState<Raise | null>(row.raise)
  const [prices, setPrices] = useState<Record<string, number | null>>(() =>
    Object.fromEntries(row.lines.map(({ id, typed, cents }) => [id, typed ? cents : null])),
  )
  const change = useChangeRenewal()
  const mayEdit = run.can.update && row.lines.length > 0
  const raise = own ?? run.raise
  const thenOf = (line: RenewalRow['lines'][number]) => prices[line.id] ?? raisedCents(line.wasCents, raise)
  const total = row.lines.reduce((sum, line) => sum + lineCents(line.quantity, thenOf(line)) * line.visits, 0)
  const submit = async () => {
    await change.mutateAsync({
      params: { id: run.id, rowId: row.id },
      body: {
        raise: own as never,
        prices: row.lines.map(({ id }) => ({ lineId: id, cents: prices[id] ?? null })),
      },
    })
    onClose()
  }
  return (
    <Dialog open onClose={onClose} title={`${row.customer.name}: ${row.job.title}`} size="l" closeOnOutside={!mayEdit}>
      <div className="qt-form">
        {row.problem ? <Banner tone="warn">{row.problem}</Banner> : null}
        {mayEdit ? (
          <>
            <SelectField
              label="Raise of this customer"
              value={own ? 'own' : 'run'}
              onChange={(kind) => setOwn(kind === 'own' ? { ...run.raise } : null)}
              options={[
                { value: 'run', label: 'As for everybody' },
                { value: 'own', label: 'Another one' },
              ]}
            />
            {own ? <RaiseFields value={own} onChange={setOwn} /> : null}
          </>
        ) : (
          <p className="hint">
            {answerLabel[row.answer]}
            {row.quote ? (
              <>
                {' · '}
                <a href={linkTo.quote(row.quote.id)}>{quoteName(row.quote.number)}</a>
                {`, ${formatCents(row.quote.totalCents)} with tax`}
              </>
            ) : null}
            {' · '}
            <a href={linkTo.job(row.job.id)}>J-{row.job.number}</a>
          </p>
        )}
        <ul className="qt-lines rn-lines">
          {row.lines.map((line) => (
            <li key={line.id}>
              <span>
                <b>{line.name}</b>
                <span className="hint">
                  {[
                    line.rhythm,
                    `${line.visits} ${line.visits === 1 ? 'visit' : 'visits'}`,
                    `now ${formatCents(line.wasCents)}`,
                  ]
                    .filter(Boolean)
                    .join(' · ')}
                </span>
              </span>
              {mayEdit ? (
                <MoneyField
                  label={`Price of ${line.name}`}
                  hideLabel
                  value={prices[line.id] ?? null}
                  placeholder={(raisedCents(line.wasCents, raise) / 100).toFixed(2)}
                  onChange={(cents) => setPrices((now) => ({ ...now, [line.id]: cents }))}
                />
              ) : (
                <b className="num">{formatCents(line.cents)}</b>
              )}
            </li>
          ))}
        </ul>
        <dl className="qt-sums">
          <div>
            <dt>Season at today’s prices</dt>
            <dd className="num">{formatCents(row.beforeCents)}</dd>
          </div>
          <div className="is-strong">
            <dt>Next season, before tax</dt>
            <dd className="num">{formatCents(mayEdit ? total : row.afterCents)}</dd>
          </div>
        </dl>
        {change.error ? <Banner tone="error">{change.error.message}</Banner> : null}
        <FormActions>
          {mayEdit ? (
            <Button
              calls={renewalsApi.change}
              kind="primary"
              loading={change.isPending}
              onClick={() => void submit().catch(() => undefined)}
            >
              Save
            </Button>
          ) : null}
          <Button onClick={onClose}>{mayEdit ? 'Cancel' : 'Close'}</Button>
        </FormActions>
      </div>
    </Dialog>
  )
}
