import { useQuery } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { call } from '../../../../shared/client.ts'
import { addDays, type Day, formatDay } from '../../../../shared/dates.ts'
import { formatCents } from '../../../../shared/money.ts'
import { Button } from '../../../../ui/Button.tsx'
import { DateField } from '../../../../ui/DateField.tsx'
import { ErrorState } from '../../../../ui/ErrorState.tsx'
import { FieldGrid } from '../../../../ui/FieldGrid.tsx'
import { Form } from '../../../../ui/Form.tsx'
import { FormField } from '../../../../ui/FormField.tsx'
import { IconTrash } from '../../../../ui/icons.ts'
import { MoneyField } from '../../../../ui/MoneyField.tsx'
import { RecordPanel } from '../../../../ui/RecordPanel.tsx'
import { SelectField } from '../../../../ui/SelectField.tsx'
import { PanelSkeleton } from '../../../../ui/Skeleton.tsx'
import { TextAreaField } from '../../../../ui/TextAreaField.tsx'
import { TextField } from '../../../../ui/TextField.tsx'
import { toast } from '../../../../ui/toast.tsx'
import { useVersioned } from '../../../../ui/useVersioned.tsx'
import { useMay } from '../../../accounts/web/session.ts'
import { methods } from '../../rules.ts'
import { categoriesQuery, choicesQuery } from '../../web/data.ts'
import { type Recurring, recurringApi } from '../contract.ts'
import { type Every, everyLabels } from '../rules.ts'
import { type RecurringBody, useRecurring } from './data.ts'

type Values = {
  every: Every
  firstOn: Day | null
  endOn: Day | null
  categoryId: string
  vendor: string
  note: string
  totalCents: number | null
  taxCents: number | null
  method: RecurringBody['method']
  crewId: string
}

const valuesOf = (cost: Recurring | null, today: Day): Values => ({
  every: cost?.every ?? 'month',
  firstOn: cost?.firstOn ?? today,
  endOn: cost?.endOn ?? null,
  categoryId: cost?.category.id ?? '',
  vendor: cost?.vendor ?? '',
  note: cost?.note ?? '',
  totalCents: cost?.totalCents ?? null,
  taxCents: cost?.taxCents || null,
  method: cost?.method ?? 'bank',
  crewId: cost?.crew?.id ?? '',
})
const bodyOf = (values: Values): RecurringBody => ({
  ...values,
  firstOn: values.firstOn ?? '',
  totalCents: values.totalCents ?? 0,
  taxCents: values.taxCents ?? 0,
  crewId: values.crewId || null,
})
const dayText = (day: Day | null | undefined) => (day ? formatDay(day, { year: true }) : 'Never')
const paidBy = (['card', 'bank', 'check', 'cash', 'account'] as const).map((value) => ({
  value,
  label: methods[value],
}))

const Fields = ({
  cost,
  today,
  categories,
  crews,
  onDone,
}: {
  cost: Recurring | null
  today: Day
  categories: { value: string; label: string }[]
  crews: { value: string; label: string }[]
  onDone: () => void
}) => {
  const { add, change } = useRecurring()
  const form = useForm<Values>({ defaultValues: valuesOf(cost, today) })
  const { control } = form
  const { save, dialog } = useVersioned<Recurring, RecurringBody>({
    record: cost,
    read: (record) => bodyOf(valuesOf(record, today)),
    load: async () => (await call(recurringApi.list, {})).items.find(({ id }) => id === cost?.id),
    words: {
      every: { label: 'How often', show: (every) => everyLabels[every] },
      firstOn: { label: 'First day', show: dayText },
      endOn: { label: 'Last day', show: dayText },
      categoryId: { label: 'Category', show: (id) => categories.find(({ value }) => value === id)?.label ?? 'Another' },
      vendor: 'Vendor',
      note: 'Note',
      totalCents: { label: 'Each time', show: (cents) => formatCents(cents) },
      taxCents: { label: 'Sales tax', show: (cents) => formatCents(cents ?? 0) },
      method: { label: 'Paid by', show: (method) => methods[method] },
      crewId: { label: 'Crew', show: (id) => crews.find(({ value }) => value === id)?.label ?? 'None' },
    },
  })
  const submit = async (values: Values) => {
    const body = bodyOf(values)
    if (!cost) {
      const made = await add.mutateAsync(body)
      toast.success(made.nextOn ? `Booked by itself, next on ${dayText(made.nextOn)}` : 'Booked up to its last day')
      return onDone()
    }
    await save(body, async (changes, over, also) => {
      const saved = await change.mutateAsync({
        id: over.id,
        body: { ...bodyOf(valuesOf(over, today)), ...changes, version: over.version },
      })
      toast.success(saved.nextOn ? `Saved, next on ${dayText(saved.nextOn)}${also}` : `Saved: it has ended${also}`)
      onDone()
    })
  }
  return (
    <Form form={form} onSubmit={submit} id="recurring-form" label={cost ? 'Change the cost' : 'New recurring cost'}>
      <FieldGrid min={150}>
        <FormField control={control} name="totalCents" needed="Type what is paid.">
          {(f) => <MoneyField label="Each time" {...f} />}
        </FormField>
        <FormField control={control} name="every">
          {(f) => (
            <SelectField
              label="How often"
              options={Object.entries(everyLabels).map(([value, label]) => ({ value: value as Every, label }))}
              {...f}
            />
          )}
        </FormField>
        <FormField control={control} name="firstOn" needed="When does it begin?">
          {(f) => (
            <DateField
              label="First day"
              today={today}
              min={cost ? (undefined as never) : addDays(today, -366)}
              hint={cost ? 'What was booked stays as it is.' : 'What is due since then is booked at once.'}
              {...f}
            />
          )}
        </FormField>
        <FormField control={control} name="endOn">
          {(f) => <DateField label="Last day" optional today={today} placeholder="Goes on" {...f} />}
        </FormField>
      </FieldGrid>
      <FormField control={control} name="vendor">
        {(f) => <TextField label="Vendor" optional maxLength={120} placeholder="Auto-Owners, Ford Credit" {...f} />}
      </FormField>
      <FieldGrid min={150}>
        <FormField control={control} name="categoryId" needed="Choose a category.">
          {(f) => <SelectField label="Category" placeholder="Choose" options={categories} {...f} />}
        </FormField>
        <FormField control={control} name="method">
          {(f) => <SelectField label="Paid by" options={paidBy} {...f} />}
        </FormField>
        <FormField control={control} name="crewId">
          {(f) => <SelectField label="Crew" optional placeholder="None" options={crews} {...f} />}
        </FormField>
        <FormField control={control} name="taxCents">
          {(f) => <MoneyField label="Sales tax in it" optional {...f} />}
        </FormField>
      </FieldGrid>
      <FormField control={control} name="note">
        {(f) => <TextAreaField label="Note" optional rows={2} maxLength={1000} {...f} />}
      </FormField>
      {dialog}
    </Form>
  )
}

/** A cost that comes again, to make, change or end. */
export const RecurringPanel = ({ cost, onClose }: { cost: Recurring | null; onClose: () => void }) => {
  const may = useMay()
  const categories = useQuery(categoriesQuery)
  const choices = useQuery(choicesQuery)
  const { keep } = useRecurring()
  const changes = may(recurringApi.update)
  const remove = async () => {
    if (!cost) return
    try {
      const gone = await keep.mutateAsync({ id: cost.id, version: cost.version, verb: 'remove' })
      onClose()
      toast.undo(`${gone.vendor || gone.category.name} is booked no more`, () =>
        keep.mutateAsync({ id: gone.id, version: gone.version, verb: 'restore' }).catch(toast.error),
      )
    } catch (error) {
      toast.error(error)
    }
  }
  const failed = categories.error ?? choices.error
  return (
    <RecordPanel
      open
      onClose={onClose}
      width={540}
      title={cost ? cost.vendor || cost.category.name : 'New recurring cost'}
      sub={cost ? (cost.nextOn ? `Next on ${dayText(cost.nextOn)}` : 'It has ended') : 'Booked by itself on its day'}
      footer={
        changes ? (
          <>
            {cost ? (
              <Button
                kind="quiet"
                calls={recurringApi.remove}
                icon={<IconTrash />}
                loading={keep.isPending}
                onClick={() => void remove()}
              >
                Remove
              </Button>
            ) : null}
            <Button kind="primary" type="submit" form="recurring-form" calls={recurringApi.create}>
              {cost ? 'Save cost' : 'Add cost'}
            </Button>
          </>
        ) : undefined
      }
    >
      {failed && !(categories.data && choices.data) ? (
        <ErrorState
          compact
          error={failed}
          onRetry={() => void Promise.all([categories.refetch(), choices.refetch()])}
        />
      ) : categories.data && choices.data ? (
        <fieldset className="exp-bare" disabled={!changes}>
          <Fields
            cost={cost}
            today={choices.data.today}
            categories={categories.data
              .filter((one) => !one.archived || one.id === cost?.category.id)
              .map(({ id, name }) => ({ value: id, label: name }))}
            crews={[
              ...choices.data.crews.map(({ id, name }) => ({ value: id, label: name })),
              ...(cost?.crew && !choices.data.crews.some(({ id }) => id === cost.crew?.id)
                ? [{ value: cost.crew.id, label: cost.crew.name }]
                : []),
            ]}
            onDone={onClose}
          />
        </fieldset>
      ) : (
        <PanelSkeleton />
      )}
    </RecordPanel>
  )
}
