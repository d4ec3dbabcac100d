import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { call } from '../../../../shared/client.ts'
import { type Day, formatDay } from '../../../../shared/dates.ts'
import { formatCents } from '../../../../shared/money.ts'
import { Badge } from '../../../../ui/Badge.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { DateField } from '../../../../ui/DateField.tsx'
import { ErrorState } from '../../../../ui/ErrorState.tsx'
import { FieldGrid } from '../../../../ui/FieldGrid.tsx'
import { Form } from '../../../../ui/Form.tsx'
import { FormField } from '../../../../ui/FormField.tsx'
import { MoneyField } from '../../../../ui/MoneyField.tsx'
import { NumberField } from '../../../../ui/NumberField.tsx'
import { toast } from '../../../../ui/toast.tsx'
import { useIdempotentMutation } from '../../../../ui/useIdempotentMutation.ts'
import { useMay } from '../../../accounts/web/session.ts'
import type { Employee } from '../../contract.ts'
import { type Wage, wagesApi } from '../contract.ts'

type Values = {
  from: Day | null
  centsPerHour: number | null
  pieceCents: number | null
  bonusCents: number | null
  burdenPercent: number | null
}

const wageText = ({ centsPerHour, pieceCents, bonusCents, burdenPercent }: Wage): string =>
  [
    pieceCents === null ? `${formatCents(centsPerHour)} / hour` : `${formatCents(pieceCents)} a lawn`,
    bonusCents ? `${formatCents(bonusCents)} bonus a lawn` : '',
    burdenPercent === null ? '' : `${burdenPercent}% burden`,
  ]
    .filter(Boolean)
    .join(', ')

const WageForm = ({
  person,
  last,
  today,
  usualBurden,
  onDone,
}: {
  person: Employee
  last: Wage | undefined
  today: Day
  usualBurden: number
  onDone: () => void
}) => {
  const client = useQueryClient()
  const set = useIdempotentMutation({
    onSettled: () => {
      for (const topic of ['crews', 'timeclock']) void client.invalidateQueries({ queryKey: [topic] })
    },
    mutationFn: (body: Wage, idempotencyKey) =>
      call(wagesApi.set, { params: { id: person.id }, body }, { idempotencyKey }),
  })
  const form = useForm<Values>({
    defaultValues: {
      from: today,
      centsPerHour: last?.centsPerHour ?? null,
      pieceCents: last?.pieceCents ?? null,
      bonusCents: last?.bonusCents ?? null,
      burdenPercent: last?.burdenPercent ?? null,
    },
  })
  const { control } = form
  const save = async ({ from, centsPerHour, ...rest }: Values) => {
    await set.mutateAsync({ from: from ?? today, centsPerHour: centsPerHour ?? 0, ...rest })
    toast.success(`The wage of ${person.name} is saved`)
    onDone()
  }
  return (
    <Form form={form} onSubmit={save} label="Wage">
      <div className="crewdays__form">
        <FieldGrid min={150}>
          <FormField control={control} name="from" needed="From which day?">
            {(f) => <DateField label="From" today={today} hint="What was worked before keeps its wage." {...f} />}
          </FormField>
          <FormField control={control} name="centsPerHour" needed="Type a wage.">
            {(f) => <MoneyField label="Wage" unit="/ hour" {...f} />}
          </FormField>
          <FormField control={control} name="pieceCents">
            {(f) => <MoneyField label="Piece" unit="/ lawn" optional hint="Paid instead of the hour." {...f} />}
          </FormField>
          <FormField control={control} name="bonusCents">
            {(f) => <MoneyField label="Bonus" unit="/ lawn" optional hint="On top of the pay." {...f} />}
          </FormField>
          <FormField control={control} name="burdenPercent">
            {(f) => (
              <NumberField
                label="Burden"
                unit="%"
                min={0}
                max={200}
                optional
                hint={`Taxes and insurance; empty is ${usualBurden}%, as for everybody.`}
                {...f}
              />
            )}
          </FormField>
        </FieldGrid>
        <div className="people-signin__actions">
          <Button type="submit" kind="primary" size="s" loading={set.isPending}>
            Save the wage
          </Button>
          <Button size="s" onClick={onDone}>
            Cancel
          </Button>
        </div>
      </div>
    </Form>
  )
}

const WageHistory = ({ person }: { person: Employee }) => {
  const may = useMay()
  const [editing, setEditing] = useState(false)
  const found = useQuery({
    queryKey: ['crews', 'wages', person.id],
    queryFn: ({ signal }) => call(wagesApi.list, { params: { id: person.id } }, { signal }),
  })
  if (found.error && !found.data) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return null
  const { items, today, burdenPercent } = found.data
  const current = items.find((wage) => wage.from <= today)
  return (
    <section className="crewdays" aria-labelledby={`wages-${person.id}`}>
      <h3 id={`wages-${person.id}`}>Wages</h3>
      {items.length > 0 ? (
        <ol>
          {items.map((wage) => (
            <li key={wage.from}>
              <b className="num">{wageText(wage)}</b>
              <span className="hint">from {formatDay(wage.from, { year: true })}</span>
              {wage === current ? <Badge tone="done">now</Badge> : null}
            </li>
          ))}
        </ol>
      ) : editing ? null : (
        <p className="hint">None. Until one is set, the usual wage of the business counts for costs.</p>
      )}
      {editing ? (
        <WageForm
          person={person}
          last={items[0]}
          today={today}
          usualBurden={burdenPercent}
          onDone={() => setEditing(false)}
        />
      ) : may(wagesApi.set) ? (
        <div className="people-signin__actions">
          <Button size="s" onClick={() => setEditing(true)}>
            New wage
          </Button>
        </div>
      ) : null}
    </section>
  )
}

/** What a person was, is and will be paid; only for who may see wages. */
export const Wages = ({ person }: { person: Employee }) => {
  const may = useMay()
  return may(wagesApi.list) ? <WageHistory person={person} /> : null
}
