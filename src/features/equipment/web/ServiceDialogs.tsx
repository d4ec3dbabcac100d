import { useForm } from 'react-hook-form'
import type { Day } from '../../../shared/dates.ts'
import { Button } from '../../../ui/Button.tsx'
import { CheckboxField } from '../../../ui/CheckboxField.tsx'
import { DateField } from '../../../ui/DateField.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { FieldGrid } from '../../../ui/FieldGrid.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { FormField } from '../../../ui/FormField.tsx'
import { MoneyField } from '../../../ui/MoneyField.tsx'
import { NumberField } from '../../../ui/NumberField.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import { TextAreaField } from '../../../ui/TextAreaField.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useMay, useToday } from '../../accounts/web/session.ts'
import { expensesApi } from '../../expenses/contract.ts'
import { methods } from '../../expenses/rules.ts'
import type { EquipmentDetail, ServicePlan } from '../contract.ts'
import { billMethods } from '../rules.ts'
import { usePiece } from './data.ts'
import { fromTenths, toTenths, unitOf } from './labels.ts'

type PlanProps = { piece: EquipmentDetail; plan: ServicePlan | null; onClose: () => void }
type PlanValues = {
  what: string
  every: number | null
  everyMonths: number | null
  lastOn: Day | null
  last: number | null
}

const PlanForm = ({ piece, plan, onClose }: PlanProps) => {
  const today = useToday()
  const add = usePiece(piece.id, 'addPlan')
  const change = usePiece(piece.id, 'changePlan')
  const form = useForm<PlanValues>({
    defaultValues: {
      what: plan?.what ?? '',
      every: fromTenths(plan?.everyTenths ?? null),
      everyMonths: plan?.everyMonths ?? null,
      lastOn: null,
      last: null,
    },
  })
  const { control } = form
  const submit = async ({ what, every, everyMonths, lastOn, last }: PlanValues) => {
    if (every === null && everyMonths === null)
      return form.setError(piece.meter ? 'every' : 'everyMonths', { message: 'How often? Say it in at least one way.' })
    const body = { what, everyTenths: toTenths(every), everyMonths }
    const lastTenths = toTenths(last)
    if (plan) await change.mutateAsync({ ...body, planId: plan.id, version: plan.version })
    else
      await add.mutateAsync({ ...body, ...(lastOn ? { lastOn } : {}), ...(lastTenths === null ? {} : { lastTenths }) })
    toast.success(`${what}: ${plan ? 'saved' : 'you are told two weeks ahead'}`)
    onClose()
  }
  return (
    <Form form={form} onSubmit={submit} label={plan ? plan.what : 'New service plan'}>
      <FormField control={control} name="what" needed="What is to be done?">
        {(f) => <TextField label="What" maxLength={80} placeholder="Oil and filter" {...f} />}
      </FormField>
      <FieldGrid min={150}>
        {piece.meter ? (
          <FormField control={control} name="every">
            {(f) => (
              <NumberField label={`Every so many ${piece.meter}`} optional unit={unitOf(piece.meter)} min={1} {...f} />
            )}
          </FormField>
        ) : null}
        <FormField control={control} name="everyMonths">
          {(f) => <NumberField label="Every so many months" optional min={1} {...f} />}
        </FormField>
        {plan ? null : (
          <>
            <FormField control={control} name="lastOn">
              {(f) => <DateField label="Last done on" optional today={today} max={today} {...f} />}
            </FormField>
            {piece.meter ? (
              <FormField control={control} name="last">
                {(f) => <NumberField label="Last done at" optional unit={unitOf(piece.meter)} min={0} {...f} />}
              </FormField>
            ) : null}
          </>
        )}
      </FieldGrid>
      {plan ? null : <p className="hint">Without a last time it is counted from today.</p>}
      <FormActions>
        <Button type="submit" kind="primary" loading={form.formState.isSubmitting}>
          {plan ? 'Save changes' : 'Add the plan'}
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </FormActions>
    </Form>
  )
}

/** What is to be done every so many hours, miles or months. */
export const PlanDialog = ({ open, ...props }: PlanProps & { open: boolean }) => (
  <Dialog open={open} onClose={props.onClose} title={props.plan ? 'Change the service plan' : 'Service plan'} size="s">
    {open ? <PlanForm {...props} /> : null}
  </Dialog>
)

type DoneValues = {
  what: string
  doneOn: Day | null
  reading: number | null
  note: string
  books: boolean
  totalCents: number | null
  vendor: string
  method: (typeof billMethods)[number]
}

const DoneForm = ({ piece, plan, onClose }: PlanProps) => {
  const today = useToday()
  const books = useMay()(expensesApi.create)
  const done = usePiece(piece.id, 'service')
  const form = useForm<DoneValues>({
    defaultValues: {
      what: plan?.what ?? '',
      doneOn: today,
      reading: fromTenths(piece.reading?.tenths ?? null),
      note: '',
      books: false,
      totalCents: null,
      vendor: '',
      method: 'card',
    },
  })
  const { control, watch } = form
  const withCost = watch('books')
  const submit = async (values: DoneValues) => {
    await done.mutateAsync({
      planId: plan?.id ?? null,
      what: values.what,
      doneOn: values.doneOn ?? today,
      tenths: piece.meter ? toTenths(values.reading) : null,
      note: values.note,
      expense: values.books
        ? { totalCents: values.totalCents ?? 0, vendor: values.vendor, method: values.method }
        : null,
    })
    toast.success(`${values.what} is done${values.books ? ', and its cost is among the expenses' : ''}`)
    onClose()
  }
  return (
    <Form form={form} onSubmit={submit} label="Service done">
      <FormField control={control} name="what" needed="What was done?">
        {(f) => <TextField label="What" maxLength={80} placeholder="New belt" {...f} />}
      </FormField>
      <FieldGrid min={150}>
        <FormField control={control} name="doneOn" needed="On which day?">
          {(f) => <DateField label="Done on" today={today} max={today} {...f} />}
        </FormField>
        {piece.meter ? (
          <FormField control={control} name="reading">
            {(f) => <NumberField label="Meter then" optional unit={unitOf(piece.meter)} min={0} {...f} />}
          </FormField>
        ) : null}
      </FieldGrid>
      <FormField control={control} name="note">
        {(f) => <TextAreaField label="Note" optional rows={2} maxLength={1000} {...f} />}
      </FormField>
      {books ? (
        <FormField control={control} name="books">
          {(f) => <CheckboxField label="Book what it cost among the expenses" {...f} />}
        </FormField>
      ) : null}
      {withCost ? (
        <FieldGrid min={150}>
          <FormField control={control} name="totalCents" needed="What did it cost?">
            {(f) => <MoneyField label="Paid, tax included" {...f} />}
          </FormField>
          <FormField control={control} name="vendor">
            {(f) => <TextField label="Paid to" optional maxLength={120} {...f} />}
          </FormField>
          <FormField control={control} name="method">
            {(f) => (
              <SelectField
                label="How it was paid"
                options={billMethods.map((value) => ({ value, label: methods[value] }))}
                {...f}
              />
            )}
          </FormField>
        </FieldGrid>
      ) : null}
      <FormActions>
        <Button type="submit" kind="primary" loading={form.formState.isSubmitting}>
          Save as done
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </FormActions>
    </Form>
  )
}

/** That service or a repair was done, with what it cost where the office wants it among the expenses. */
export const DoneDialog = ({ open, ...props }: PlanProps & { open: boolean }) => (
  <Dialog open={open} onClose={props.onClose} title="Service done" size="s">
    {open ? <DoneForm {...props} /> : null}
  </Dialog>
)
