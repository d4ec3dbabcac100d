import { useContext, useState } from 'react'
import { useForm } from 'react-hook-form'
import { formatDay } from '../../../shared/dates.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { DateField } from '../../../ui/DateField.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { FieldGrid } from '../../../ui/FieldGrid.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { FormField } from '../../../ui/FormField.tsx'
import { IconPlus } from '../../../ui/icons.ts'
import { NumberField } from '../../../ui/NumberField.tsx'
import { RadioField } from '../../../ui/RadioField.tsx'
import { StateField } from '../../../ui/StateField.tsx'
import { TextAreaField } from '../../../ui/TextAreaField.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useToday } from '../../accounts/web/session.ts'
import type { BusinessSettings, TaxRate } from '../contract.ts'
import { taxPlaceLabel } from '../taxes/rules.ts'
import { useAddTax, useEndTax, useRemoveTax } from './data.ts'
import { MayChange } from './Section.tsx'

const AddRate = ({ onDone }: { onDone: () => void }) => {
  const add = useAddTax()
  const today = useToday()
  const form = useForm({
    defaultValues: {
      name: '',
      ratePercent: null as number | null,
      taxCategory: 'lawn',
      state: '',
      places: '',
      charged: 'alone' as 'alone' | 'onTop',
      validFrom: null as string | null,
      validTo: null as string | null,
    },
  })
  return (
    <Form
      form={form}
      label="Add a tax rate"
      onSubmit={async ({ charged, places, ...values }) => {
        if (values.ratePercent === null)
          return form.setError('ratePercent', { message: 'How many percent?' }, { shouldFocus: true })
        await add.mutateAsync({
          ...values,
          ratePercent: values.ratePercent,
          state: values.state.trim() || null,
          places: places.split(/[,;\n]/).flatMap((place) => place.trim() || []),
          onTop: charged === 'onTop',
        })
        toast.success(
          values.validFrom && values.validFrom > today
            ? `${values.name} is on work from ${formatDay(values.validFrom, { year: true })} on`
            : `${values.name} is on new invoices from now on`,
        )
        onDone()
      }}
    >
      <FieldGrid min={180}>
        <FormField control={form.control} name="name">
          {(f) => <TextField {...f} label="Name on the invoice" autoFocus maxLength={80} placeholder="Sales tax" />}
        </FormField>
        <FormField control={form.control} name="ratePercent">
          {(f) => <NumberField {...f} label="Rate" unit="%" min={0} max={99} step={0.25} />}
        </FormField>
        <FormField control={form.control} name="taxCategory">
          {(f) => (
            <TextField
              {...f}
              label="On services taxed as"
              maxLength={40}
              hint="The tax class that stands on a service."
            />
          )}
        </FormField>
        <FormField control={form.control} name="state">
          {(f) => (
            <StateField
              {...f}
              label="Only in the state"
              optional
              placeholder="Everywhere"
              hint="Tax follows the place of the work."
            />
          )}
        </FormField>
        <FormField control={form.control} name="places">
          {(f) => (
            <TextAreaField
              {...f}
              className="is-whole"
              label="Only in these ZIP codes or cities"
              optional
              rows={2}
              maxLength={4000}
              placeholder="43201, 43215, Delaware"
              hint="For a county or city rate. Where it holds, a rate for the whole state is not charged as well."
            />
          )}
        </FormField>
        <FormField control={form.control} name="charged">
          {(f) => (
            <RadioField
              {...f}
              className="is-whole"
              label="Where another rate holds, too"
              options={[
                { value: 'alone', label: 'Only the nearer one is charged', hint: 'For a rate that has all in it.' },
                { value: 'onTop', label: 'This one comes on top', hint: 'For the local part beside the state’s.' },
              ]}
            />
          )}
        </FormField>
        <FormField control={form.control} name="validFrom">
          {(f) => <DateField {...f} label="On work from" optional today={today} hint="Empty: on all work." />}
        </FormField>
        <FormField control={form.control} name="validTo">
          {(f) => <DateField {...f} label="Up to" optional today={today} hint="Empty: until you end it." />}
        </FormField>
      </FieldGrid>
      <FormActions>
        <Button type="submit" kind="primary" loading={form.formState.isSubmitting}>
          Add rate
        </Button>
        <Button onClick={onDone}>Cancel</Button>
      </FormActions>
    </Form>
  )
}

const EndRate = ({ rate, onDone }: { rate: TaxRate; onDone: () => void }) => {
  const today = useToday()
  const end = useEndTax()
  const remove = useRemoveTax()
  const add = useAddTax()
  const form = useForm({ defaultValues: { validTo: (rate.validTo ?? today) as string | null } })
  const takeOff = () =>
    remove.mutate(rate.id, {
      onSuccess: () => {
        toast.undo(`${rate.name} was taken off`, () => {
          const { id: _gone, ...body } = rate
          return add.mutateAsync(body)
        })
        onDone()
      },
      onError: toast.error,
    })
  return (
    <Form
      form={form}
      label={`End ${rate.name}`}
      onSubmit={async ({ validTo }) => {
        await end.mutateAsync({ id: rate.id, validTo })
        toast.success(
          validTo
            ? `${rate.name} is on work up to ${formatDay(validTo, { year: true })}`
            : `${rate.name} goes on until you end it`,
        )
        onDone()
      }}
    >
      <p className="muted">
        Work of these days is charged by it, also when it is invoiced later. Issued invoices keep what they have.
      </p>
      <FormField control={form.control} name="validTo">
        {(f) => <DateField {...f} label="Last day of work" optional today={today} hint="Empty: it goes on." />}
      </FormField>
      <FormActions>
        <Button type="submit" kind="primary" loading={form.formState.isSubmitting}>
          Save
        </Button>
        <Button kind="danger" loading={remove.isPending} onClick={takeOff}>
          It was a mistake: take it off
        </Button>
        <Button onClick={onDone}>Cancel</Button>
      </FormActions>
    </Form>
  )
}

const daysOf = ({ validFrom, validTo }: TaxRate): string =>
  [
    validFrom ? `from ${formatDay(validFrom, { year: true })}` : '',
    validTo ? `until ${formatDay(validTo, { year: true })}` : '',
  ]
    .filter(Boolean)
    .join(' ') || 'always'

/** Which taxes stand on invoices. A rate is never changed: it ends, and another begins, so that work of earlier days keeps its own. */
export const TaxSection = ({ settings }: { settings: BusinessSettings }) => {
  const mayChange = useContext(MayChange)
  const today = useToday()
  const [adding, setAdding] = useState(false)
  const [ending, setEnding] = useState<TaxRate | null>(null)
  return (
    <Card id="taxes" flush className="settings-card">
      <div className="settings-card__words">
        <h2>Taxes</h2>
        <p className="muted">
          Put on new invoices by the tax class of each service, the place and the day of the work. Issued invoices keep
          what they have.
        </p>
      </div>
      <div className="taxes">
        <Banner>
          Whether lawn care is taxed differs by state and by service. Check with your accountant before you add a rate.
        </Banner>
        {settings.taxRates.length === 0 ? (
          <p className="muted">No tax is put on your invoices.</p>
        ) : (
          <div className="taxes__scroll">
            <table>
              <thead>
                <tr>
                  <th scope="col">Name</th>
                  <th scope="col">Rate</th>
                  <th scope="col">On</th>
                  <th scope="col">Where</th>
                  <th scope="col">Days of work</th>
                  <th>
                    <span className="ui-hidden">End it</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {settings.taxRates.map((rate) => (
                  <tr key={rate.id} className={rate.validTo && rate.validTo < today ? 'muted' : undefined}>
                    <td>{rate.name}</td>
                    <td className="num">{rate.ratePercent}%</td>
                    <td>{rate.taxCategory}</td>
                    <td>
                      {taxPlaceLabel(rate)}
                      {rate.onTop ? <span className="muted">, on top</span> : null}
                    </td>
                    <td>{daysOf(rate)}</td>
                    <td>
                      {mayChange ? (
                        <Button size="s" kind="quiet" aria-label={`End ${rate.name}`} onClick={() => setEnding(rate)}>
                          End
                        </Button>
                      ) : null}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
        {mayChange ? (
          <div>
            <Button icon={<IconPlus />} onClick={() => setAdding(true)}>
              Add a tax rate
            </Button>
          </div>
        ) : null}
      </div>
      <Dialog open={adding} onClose={() => setAdding(false)} title="Add a tax rate">
        {adding ? <AddRate onDone={() => setAdding(false)} /> : null}
      </Dialog>
      <Dialog open={ending !== null} onClose={() => setEnding(null)} title={ending ? `End ${ending.name}` : ''}>
        {ending ? <EndRate rate={ending} onDone={() => setEnding(null)} /> : null}
      </Dialog>
    </Card>
  )
}
