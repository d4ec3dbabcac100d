import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { type Day, formatDay } from '../../../shared/dates.ts'
import { linkTo } from '../../../shared/links.ts'
import { formatCents } from '../../../shared/money.ts'
import { formatPhone } from '../../../shared/phone.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { CheckboxField } from '../../../ui/CheckboxField.tsx'
import { type Choice, ComboboxField } from '../../../ui/ComboboxField.tsx'
import { DateField } from '../../../ui/DateField.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { FieldGrid } from '../../../ui/FieldGrid.tsx'
import { FilterChips } from '../../../ui/FilterChips.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { FormField } from '../../../ui/FormField.tsx'
import { MoneyField } from '../../../ui/MoneyField.tsx'
import { NumberField } from '../../../ui/NumberField.tsx'
import { RadioField } from '../../../ui/RadioField.tsx'
import { PanelSkeleton } from '../../../ui/Skeleton.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useToday } from '../../accounts/web/session.ts'
import { isReached, reachWords, unreachedWords } from '../../messages/paperways/rules.ts'
import { billingPlansApi, type PlanPreview } from '../contract.ts'
import {
  kindLabel,
  levelWords,
  type Month,
  monthLabel,
  monthOf,
  monthsFrom,
  type PlanKind,
  prepaidCents,
  seasonName,
  usualSeason,
} from '../rules.ts'
import { type PlanWish, useCreatePlan, wishQuery } from './data.ts'
import { WorkList } from './WorkList.tsx'

type Values = {
  kind: PlanKind
  name: string
  startsOn: Day | null
  endsOn: Day | null
  lineIds: string[] | null
  months: Month[] | null
  billDay: number | null
  seasonCents: number | null
  discountPercent: number | null
  reason: string
  tell: boolean
}

const shortMonth = (month: Month): string => `${monthLabel(month).slice(0, 3)} ${month.slice(0, 4)}`

const LevelNote = ({ months }: { months: PlanPreview['months'] }) => {
  const words = levelWords(months.map(({ cents }) => cents))
  return words ? <p className="hint">{words}</p> : null
}

/** Months and what each is billed, before anything is made. */
export const MonthTable = ({ months, taxed }: { months: PlanPreview['months']; taxed: boolean }) => (
  <>
    <table className="plan-months">
      <thead>
        <tr>
          <th scope="col">Billed on</th>
          <th scope="col">Before tax</th>
          {taxed ? <th scope="col">Tax</th> : null}
          <th scope="col">To pay</th>
        </tr>
      </thead>
      <tbody>
        {months.map(({ month, billOn, cents, taxCents, totalCents }) => (
          <tr key={month}>
            <td>{formatDay(billOn, { year: true })}</td>
            <td className="num">{formatCents(cents)}</td>
            {taxed ? <td className="num">{formatCents(taxCents)}</td> : null}
            <td className="num">
              <b>{formatCents(totalCents)}</b>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
    <LevelNote months={months} />
  </>
)

/** One number only where every month bills it. */
const startLabel = ({ months, totalCents, listCents }: PlanPreview): string => {
  if (listCents === 0) return 'Start the plan'
  if (months.length === 1) return `Start and bill ${formatCents(totalCents)}`
  const [first] = months
  return months.every((one) => one.totalCents === first?.totalCents)
    ? `Start ${months.length} months of ${formatCents(first?.totalCents ?? 0)}`
    : `Start ${months.length} months, ${formatCents(totalCents)} in all`
}

const Sums = ({ plan }: { plan: PlanPreview }) => (
  <dl className="plan-sums">
    {plan.carryCents !== 0 && plan.carriedFrom ? (
      <div>
        <dt>Carried over from {plan.carriedFrom.name}</dt>
        <dd className="num">{formatCents(plan.carryCents)}</dd>
      </div>
    ) : null}
    {plan.taxCents !== 0 ? (
      <div>
        <dt>Sales tax</dt>
        <dd className="num">{formatCents(plan.taxCents)}</dd>
      </div>
    ) : null}
    <div className="is-strong">
      <dt>{plan.months.length === 1 ? 'In all' : `In ${plan.months.length} months`}</dt>
      <dd className="num">{formatCents(plan.totalCents)}</dd>
    </div>
  </dl>
)

const Fields = ({
  customerId,
  onDone,
  onClose,
}: {
  customerId: string
  onDone: (id: string) => void
  onClose: () => void
}) => {
  const today = useToday()
  const create = useCreatePlan()
  const usual = usualSeason(today)
  const form = useForm<Values>({
    defaultValues: {
      kind: 'budget',
      name: seasonName(usual.startsOn, usual.endsOn),
      ...usual,
      lineIds: null,
      months: null,
      billDay: 1,
      seasonCents: null,
      discountPercent: 5,
      reason: '',
      tell: true,
    },
  })
  const values = form.watch()
  const { kind, startsOn, endsOn, lineIds, months, billDay, seasonCents, discountPercent } = values
  const isPrepaid = kind === 'prepaid'
  const { name: isNamed } = form.formState.dirtyFields
  /** The name goes with the season until somebody types one. */
  const nameSeason = (from: Day | null, to: Day | null) => {
    if (from && to && !isNamed) form.resetField('name', { defaultValue: seasonName(from, to) })
  }
  const wish: PlanWish = {
    customerId,
    kind,
    startsOn: startsOn ?? today,
    endsOn: endsOn ?? today,
    billDay: billDay !== null && billDay >= 1 && billDay <= 31 ? Math.round(billDay) : 1,
    ...(lineIds ? { lineIds } : {}),
    ...(months ? { months } : {}),
  }
  // the discount is of what the work comes to, which the server says first
  const work = useQuery({ ...wishQuery(wish), enabled: startsOn !== null && endsOn !== null })
  const listCents = work.data?.listCents ?? 0
  const agreed = seasonCents ?? (isPrepaid ? prepaidCents(listCents, discountPercent ?? 0) : listCents)
  const found = useQuery({
    ...wishQuery(agreed > 0 && agreed !== listCents ? { ...wish, seasonCents: agreed } : wish),
    enabled: work.data !== undefined,
  })
  const plan = found.data ?? work.data
  const problemOf = (...paths: string[]) => plan?.problems.find(({ path }) => paths.includes(path))?.message
  if (!plan)
    return work.isError ? (
      <ErrorState
        compact
        error={work.error}
        title="We could not look at the work of this customer"
        onRetry={() => void work.refetch()}
        retrying={work.isFetching}
      />
    ) : (
      <PanelSkeleton />
    )
  if (plan.lines.length === 0 && !problemOf('endsOn'))
    return (
      <EmptyState
        compact
        title="No work to put on a plan"
        action={<Button href={linkTo.newJob({ customerId })}>Book a job</Button>}
      >
        A plan covers the work of jobs that run. {plan.customerName} has none between{' '}
        {formatDay(startsOn ?? today, { year: true })} and {formatDay(endsOn ?? today, { year: true })}.
      </EmptyState>
    )
  const isOther = agreed !== plan.listCents
  const reasonGiven =
    values.reason.trim() || (isPrepaid && seasonCents === null ? `${discountPercent ?? 0}% for paying ahead` : '')
  const waits = work.isFetching || found.isFetching || found.isPlaceholderData
  const submit = async () => {
    if (plan.problems.length > 0) return document.querySelector('.plan-problem')?.scrollIntoView({ block: 'center' })
    if (isOther && !reasonGiven)
      return form.setError(
        'reason',
        { message: 'Say why you agreed on another total: it stands on the plan.' },
        { shouldFocus: true },
      )
    const made = await create.mutateAsync({
      ...wish,
      name: values.name.trim(),
      lineIds: plan.lines.filter(({ covered }) => covered).map(({ lineId }) => lineId),
      months: plan.months.map(({ month }) => month),
      seasonCents: plan.seasonCents,
      reason: isOther ? reasonGiven : '',
      tell: values.tell && isReached(plan.reach),
      expectedListCents: plan.listCents,
    })
    toast.success(`${made.name} is started for ${plan.customerName}`)
    onDone(made.id)
  }
  const first = startsOn && startsOn > today ? monthOf(startsOn) : monthOf(today)
  const chosen = plan.months.map(({ month }) => month)
  const due = plan.months.filter(({ billOn }) => billOn <= plan.today)
  return (
    <Form form={form} onSubmit={submit} label="New billing plan">
      <FormField control={form.control} name="kind">
        {(f) => (
          <RadioField
            {...f}
            label="How they pay"
            onChange={(value) => {
              form.setValue('months', null)
              form.setValue('seasonCents', null)
              f.onChange(value)
            }}
            options={[
              { value: 'budget', label: kindLabel.budget, hint: 'The same amount each month, however often you come.' },
              {
                value: 'prepaid',
                label: kindLabel.prepaid,
                hint: 'The whole season at once, with a discount for paying ahead.',
              },
            ]}
          />
        )}
      </FormField>
      <FieldGrid min={180}>
        <FormField control={form.control} name="startsOn">
          {(f) => (
            <DateField
              {...f}
              onChange={(day) => {
                f.onChange(day)
                nameSeason(day, endsOn)
              }}
              label="Season from"
              today={today}
              hint="Finished work from this day on that is not billed yet counts."
            />
          )}
        </FormField>
        <FormField control={form.control} name="endsOn">
          {(f) => (
            <DateField
              {...f}
              onChange={(day) => {
                f.onChange(day)
                nameSeason(startsOn, day)
              }}
              label="To"
              today={today}
              error={f.error ?? problemOf('endsOn')}
            />
          )}
        </FormField>
      </FieldGrid>
      <WorkList lines={plan.lines} onChange={(ids) => form.setValue('lineIds', ids)} error={problemOf('lineIds')} />
      <FieldGrid min={180}>
        {isPrepaid ? (
          <FormField control={form.control} name="discountPercent">
            {(f) => (
              <NumberField
                {...f}
                label="Discount for paying ahead"
                unit="%"
                min={0}
                max={50}
                refuse={(value) => (value < 0 || value >= 100 ? 'From 0 to 99.' : null)}
                onChange={(value) => {
                  form.setValue('seasonCents', null)
                  f.onChange(value)
                }}
              />
            )}
          </FormField>
        ) : null}
        <MoneyField
          label="Season total before tax"
          name="seasonCents"
          value={problemOf('endsOn') ? null : agreed}
          onChange={(cents) => form.setValue('seasonCents', cents)}
          refuse={(cents) => (cents <= 0 ? 'More than $0.00.' : null)}
          error={problemOf('seasonCents')}
          hint={problemOf('endsOn') ? undefined : `The work comes to ${formatCents(plan.listCents)}.`}
        />
      </FieldGrid>
      {isOther && !(isPrepaid && seasonCents === null) ? (
        <FormField control={form.control} name="reason">
          {(f) => <TextField {...f} label="Why another total" maxLength={300} placeholder="Neighbor of a customer" />}
        </FormField>
      ) : null}
      <div className="plan-when">
        <b>{isPrepaid ? 'Billed in' : 'Months that are billed'}</b>
        <FilterChips
          label={isPrepaid ? 'Billed in' : 'Months that are billed'}
          single={isPrepaid}
          chips={monthsFrom(first, isPrepaid ? 6 : 15).map((month) => ({ value: month, label: shortMonth(month) }))}
          values={chosen}
          onChange={(list) => form.setValue('months', [...list].sort())}
        />
        {problemOf('months') ? (
          <p role="alert" className="plan-problem">
            {problemOf('months')}
          </p>
        ) : null}
        <FormField control={form.control} name="billDay">
          {(f) => (
            <NumberField
              {...f}
              label="Day of the month"
              min={1}
              max={31}
              refuse={(value) => (Number.isInteger(value) && value >= 1 && value <= 31 ? null : 'A day from 1 to 31.')}
              hint={(billDay ?? 1) > 28 ? 'A month without that day is billed on its last one.' : undefined}
            />
          )}
        </FormField>
      </div>
      {plan.months.length > 0 && plan.listCents > 0 ? (
        <section aria-label="What will be billed" className={waits ? 'plan-preview is-old' : 'plan-preview'}>
          <MonthTable months={plan.months} taxed={plan.taxCents !== 0} />
          <Sums plan={plan} />
          {due.length > 0 ? (
            <Banner>
              {due.length === 1 ? 'The first invoice is' : `The first ${due.length} invoices are`} made at once, because{' '}
              {due.length === 1 ? 'its day is' : 'their days are'} here.
            </Banner>
          ) : null}
        </section>
      ) : null}
      <FormField control={form.control} name="name" needed="Name it.">
        {(f) => <TextField {...f} label="Name on the invoices" maxLength={60} />}
      </FormField>
      {isReached(plan.reach) ? (
        <FormField control={form.control} name="tell">
          {(f) => <CheckboxField {...f} label={`Send what was agreed to ${reachWords(plan.reach, formatPhone)}`} />}
        </FormField>
      ) : (
        <p className="hint">
          {plan.customerName} {unreachedWords(plan.reach)}: the invoices of the plan are made, and you print them.
        </p>
      )}
      <FormActions>
        <Button
          calls={billingPlansApi.create}
          type="submit"
          kind="primary"
          loading={form.formState.isSubmitting}
          disabled={waits || plan.listCents === 0}
        >
          {startLabel(plan)}
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </FormActions>
    </Form>
  )
}

type Props = {
  open: boolean
  /** Asked for where it is not known. */
  customerId: string | null
  findCustomers: (text: string, signal: AbortSignal) => Promise<readonly Choice[]>
  onClose: () => void
  onDone: (id: string) => void
}

const Start = ({ customerId, findCustomers, onClose, onDone }: Omit<Props, 'open'>) => {
  const [picked, setPicked] = useState<Choice | null>(null)
  const id = customerId ?? picked?.value ?? null
  return (
    <div className="plan-new">
      {customerId === null ? (
        <ComboboxField
          label="Customer"
          autoFocus
          value={picked}
          onChange={setPicked}
          placeholder="Name, street or e-mail"
          search={findCustomers}
          emptyText="Nobody found. Add them under Customers first."
        />
      ) : null}
      {id ? (
        <Fields key={id} customerId={id} onDone={onDone} onClose={onClose} />
      ) : (
        <p className="muted">Their jobs and what these come to in a season are shown next.</p>
      )}
    </div>
  )
}

/** A season in equal months, or paid ahead: what it covers, what it comes to, and each invoice before anything is made. */
export const NewPlan = ({ open, ...props }: Props) => (
  <Dialog open={open} onClose={props.onClose} title="New billing plan" size="l" closeOnOutside={false}>
    <Start key={String(open)} {...props} />
  </Dialog>
)
