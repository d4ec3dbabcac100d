import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { type Day, formatDay } from '../../../../shared/dates.ts'
import { Banner } from '../../../../ui/Banner.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { Card } from '../../../../ui/Card.tsx'
import { DateField } from '../../../../ui/DateField.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { EmptyState } from '../../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../../ui/ErrorState.tsx'
import { FieldGrid } from '../../../../ui/FieldGrid.tsx'
import { Form } from '../../../../ui/Form.tsx'
import { FormActions } from '../../../../ui/FormActions.tsx'
import { FormField } from '../../../../ui/FormField.tsx'
import { IconPlus } from '../../../../ui/icons.ts'
import { Money } from '../../../../ui/Money.tsx'
import { NumberField } from '../../../../ui/NumberField.tsx'
import { SelectField } from '../../../../ui/SelectField.tsx'
import { TableSkeleton } from '../../../../ui/Skeleton.tsx'
import { Stat } from '../../../../ui/Stat.tsx'
import { StatRow } from '../../../../ui/StatRow.tsx'
import { toast } from '../../../../ui/toast.tsx'
import { useMay } from '../../../accounts/web/session.ts'
import { choicesQuery } from '../../web/data.ts'
import { monthLabel, spans } from '../../web/place.ts'
import { type MileageDay, mileageApi } from '../contract.ts'
import { milesText, rateText } from '../rules.ts'
import { mileageQuery, useOdometer } from './data.ts'

type Values = { day: Day | null; crewId: string; startMiles: number | null; endMiles: number | null }

const Reading = ({ row, today, onClose }: { row: MileageDay | null; today: Day; onClose: () => void }) => {
  const choices = useQuery(choicesQuery)
  const { set, clear } = useOdometer()
  const form = useForm<Values>({
    defaultValues: {
      day: row?.day ?? today,
      crewId: row?.crew.id ?? '',
      startMiles: row?.odometer?.startMiles ?? null,
      endMiles: row?.odometer?.endMiles ?? null,
    },
  })
  const { control } = form
  const submit = async ({ day, crewId, startMiles, endMiles }: Values) => {
    const saved = await set.mutateAsync({
      day: day ?? '',
      crewId,
      startMiles: startMiles ?? 0,
      endMiles: endMiles ?? 0,
    })
    toast.success(`${milesText(saved.tenthMiles)} miles for ${saved.crew.vehicle || saved.crew.name}`)
    onClose()
  }
  const takeOff = () =>
    row &&
    clear.mutateAsync({ day: row.day, crewId: row.crew.id }).then(() => {
      toast.success('The reading is off')
      onClose()
    }, toast.error)
  return (
    <Form form={form} onSubmit={submit} label="Odometer">
      {row ? (
        <p className="muted">
          {row.crew.name}, {formatDay(row.day, { year: true })}.
          {row.routeTenthMiles === null ? '' : ` The route has ${milesText(row.routeTenthMiles)} miles.`}
        </p>
      ) : (
        <FieldGrid min={150}>
          <FormField control={control} name="day" needed="On which day?">
            {(f) => <DateField label="Day" today={today} max={today} {...f} />}
          </FormField>
          <FormField control={control} name="crewId" needed="Whose truck?">
            {(f) => (
              <SelectField
                label="Truck"
                placeholder="Choose"
                options={(choices.data?.crews ?? []).map(({ id, name, vehicle }) => ({
                  value: id,
                  label: vehicle ? `${vehicle}, ${name}` : name,
                }))}
                {...f}
              />
            )}
          </FormField>
        </FieldGrid>
      )}
      <FieldGrid min={150}>
        <FormField control={control} name="startMiles" needed="Type whole miles.">
          {(f) => <NumberField label="In the morning" unit="mi" min={0} {...f} />}
        </FormField>
        <FormField control={control} name="endMiles" needed="Type whole miles.">
          {(f) => <NumberField label="In the evening" unit="mi" min={0} {...f} />}
        </FormField>
      </FieldGrid>
      <FormActions>
        <Button type="submit" kind="primary" loading={set.isPending}>
          Save reading
        </Button>
        {row?.odometer ? (
          <Button calls={mileageApi.clearOdometer} loading={clear.isPending} onClick={() => void takeOff()}>
            {row.routeTenthMiles === null ? 'Take the reading off' : 'Count the route again'}
          </Button>
        ) : null}
      </FormActions>
    </Form>
  )
}

const DayRow = ({ row, onOpen }: { row: MileageDay; onOpen: (() => void) | null }) => {
  const inside = (
    <>
      <span className="panel-rows__main">
        <b>{row.crew.vehicle || row.crew.name}</b>
        <span className="muted">
          <span className="num">{formatDay(row.day)}</span> ·{' '}
          {row.odometer
            ? `odometer ${row.odometer.startMiles.toLocaleString('en-US')} to ${row.odometer.endMiles.toLocaleString('en-US')}`
            : 'by the route'}
        </span>
      </span>
      <span className="exp-cost__side">
        <span className="num">{milesText(row.tenthMiles)} mi</span>
        <span className="hint">
          <Money cents={row.deductionCents} />
        </span>
      </span>
    </>
  )
  return (
    <li>
      {onOpen ? (
        <button type="button" className="exp-cost" onClick={onOpen}>
          {inside}
        </button>
      ) : (
        <div className="exp-cost">{inside}</div>
      )}
    </li>
  )
}

/** The miles of a month by truck and day, and what they come to at the IRS rate. */
export const Mileage = ({ month, onMonth, today }: { month: string; onMonth: (month: string) => void; today: Day }) => {
  const found = useQuery(mileageQuery(month))
  const may = useMay()
  const [open, setOpen] = useState<MileageDay | 'new' | null>(null)
  const data = found.data
  const changes = may(mileageApi.setOdometer)
  const months = spans(today).filter(({ value }) => value.length === 7)
  return (
    <section aria-label="Mileage">
      <div className="exp-head">
        <SelectField
          label="Month"
          hideLabel
          value={month}
          options={
            months.some(({ value }) => value === month)
              ? months
              : [...months, { value: month, label: monthLabel(month) }]
          }
          onChange={onMonth}
        />
        {changes ? (
          <Button calls={mileageApi.setOdometer} icon={<IconPlus />} onClick={() => setOpen('new')}>
            Odometer reading
          </Button>
        ) : null}
      </div>
      {found.error && !data ? (
        <ErrorState error={found.error} onRetry={() => void found.refetch()} retrying={found.isFetching} />
      ) : !data ? (
        <Card flush>
          <TableSkeleton rows={6} columns={3} />
        </Card>
      ) : (
        <>
          {data.rateKnown ? null : (
            <Banner tone="info">
              The IRS rate of {month.slice(0, 4)} is not in Swath yet: the one of the year before is used.
            </Banner>
          )}
          <StatRow>
            <Stat label="Miles" value={milesText(data.tenthMiles)} note={monthLabel(data.month)} />
            <Stat
              label="At the IRS rate"
              value={<Money cents={data.deductionCents} />}
              note={data.rateTenthCents === null ? 'No rate for this year' : `${rateText(data.rateTenthCents)} a mile`}
            />
          </StatRow>
          {data.trucks.length > 1 ? (
            <div className="exp-trucks">
              <StatRow>
                {data.trucks.map((truck) => (
                  <Stat
                    key={truck.name}
                    label={truck.name}
                    value={`${milesText(truck.tenthMiles)} mi`}
                    note={`${truck.dayCount} ${truck.dayCount === 1 ? 'day' : 'days'}, ${truck.odometerDays} by odometer`}
                  />
                ))}
              </StatRow>
            </div>
          ) : null}
          <p className="exp-note muted">
            The standard rate takes the place of fuel, repairs, insurance and depreciation of a vehicle: your accountant
            counts one or the other, and it is not for every truck.
          </p>
          <Card flush>
            {data.days.length === 0 ? (
              <EmptyState title="No miles in this month">
                Routes that were sent to a crew count by themselves; an odometer reading counts instead.
              </EmptyState>
            ) : (
              <ul className="exp-costs">
                {data.days.map((row) => (
                  <DayRow key={`${row.day} ${row.crew.id}`} row={row} onOpen={changes ? () => setOpen(row) : null} />
                ))}
              </ul>
            )}
          </Card>
        </>
      )}
      <Dialog open={open !== null} onClose={() => setOpen(null)} title="Odometer" size="s">
        {open === null ? null : (
          <Reading row={open === 'new' ? null : open} today={today} onClose={() => setOpen(null)} />
        )}
      </Dialog>
    </section>
  )
}
