import { useContext, useState } from 'react'
import { useForm } from 'react-hook-form'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { FieldGrid } from '../../../ui/FieldGrid.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { FormField } from '../../../ui/FormField.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { IconPlus, IconTrash } from '../../../ui/icons.ts'
import { NumberField } from '../../../ui/NumberField.tsx'
import { StateField } from '../../../ui/StateField.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { toast } from '../../../ui/toast.tsx'
import type { BusinessSettings, TaxRate } from '../contract.ts'
import { useAddTax, useRemoveTax } from './data.ts'
import { MayChange } from './Section.tsx'

const AddRate = ({ onDone }: { onDone: () => void }) => {
  const add = useAddTax()
  const form = useForm({
    defaultValues: { name: '', ratePercent: null as number | null, taxCategory: 'lawn', state: '' },
  })
  return (
    <Form
      form={form}
      label="Add a tax rate"
      onSubmit={async (values) => {
        if (values.ratePercent === null)
          return form.setError('ratePercent', { message: 'How many percent?' }, { shouldFocus: true })
        await add.mutateAsync({ ...values, ratePercent: values.ratePercent, state: values.state.trim() || null })
        toast.success(`${values.name} is on new invoices from now on`)
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

/** Which taxes stand on invoices. A rate is never changed: it ends, and another begins, so that old invoices keep theirs. */
export const TaxSection = ({ settings }: { settings: BusinessSettings }) => {
  const mayChange = useContext(MayChange)
  const [adding, setAdding] = useState(false)
  const remove = useRemoveTax()
  const add = useAddTax()
  const end = (rate: TaxRate) =>
    remove.mutate(rate.id, {
      onSuccess: () =>
        toast.undo(`${rate.name} has ended`, () => {
          const { id: _ended, ...body } = rate
          return add.mutateAsync(body)
        }),
      onError: toast.error,
    })
  return (
    <Card id="taxes" flush className="settings-card">
      <div className="settings-card__words">
        <h2>Taxes</h2>
        <p className="muted">
          Put on new invoices by the tax class of each service. Issued invoices keep what they have.
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
                  <th>
                    <span className="ui-hidden">End it</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {settings.taxRates.map((rate) => (
                  <tr key={rate.id}>
                    <td>{rate.name}</td>
                    <td className="num">{rate.ratePercent}%</td>
                    <td>{rate.taxCategory}</td>
                    <td>{rate.state ?? 'everywhere'}</td>
                    <td>
                      {mayChange ? (
                        <IconButton
                          size="s"
                          label={`End ${rate.name}`}
                          icon={<IconTrash />}
                          onClick={() => end(rate)}
                          tooltip={false}
                        />
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
    </Card>
  )
}
