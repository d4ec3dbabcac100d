import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { useNavigate } from 'react-router'
import { linkTo } from '../../../shared/links.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { CheckboxField } from '../../../ui/CheckboxField.tsx'
import { ComboboxField } from '../../../ui/ComboboxField.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { FieldGrid } from '../../../ui/FieldGrid.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { FormField } from '../../../ui/FormField.tsx'
import { NumberField } from '../../../ui/NumberField.tsx'
import { RadioField } from '../../../ui/RadioField.tsx'
import { StateField } from '../../../ui/StateField.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { toast } from '../../../ui/toast.tsx'
import type { CustomerDuplicate } from '../../customers/contract.ts'
import { findPeople } from '../../messages/web/data.ts'
import { businessLeadsApi, type LeadRecord } from '../contract.ts'
import { customerDuplicatesOf, duplicatesQuery, useConvert } from './data.ts'

type Values = {
  into: 'new' | 'known'
  customer: { value: string; label: string } | null
  name: string
  street: string
  unit: string
  city: string
  state: string
  zip: string
  lawnSquareFeet: number | null
  won: boolean
}

/** Where the lead looked up is: kept, unless another address was typed. */
const pinOf = (lead: LeadRecord, values: Values) =>
  lead.latitude !== null && lead.longitude !== null && lead.street === values.street && lead.zip === values.zip
    ? { latitude: lead.latitude, longitude: lead.longitude }
    : {}

/** Makes a lead a customer with a property, or puts it with a customer who is there. */
export const ConvertLead = ({
  lead,
  forQuote = false,
  onClose,
}: {
  lead: LeadRecord
  /** They want a price: the customer is made on the way to their quote. */
  forQuote?: boolean
  onClose: () => void
}) => {
  const navigate = useNavigate()
  const convert = useConvert(lead.id)
  const probe = {
    phone: lead.phone ?? '',
    email: lead.email ?? '',
    street: lead.street,
    city: lead.city,
    zip: lead.zip,
  }
  const known = useQuery(duplicatesQuery(probe)).data?.customers ?? []
  const [refused, setRefused] = useState<CustomerDuplicate[] | null>(null)
  const alike = refused ?? known
  const form = useForm<Values>({
    defaultValues: {
      into: lead.customer ? 'known' : 'new',
      customer: lead.customer ? { value: lead.customer.id, label: lead.customer.name } : null,
      name: lead.name,
      street: lead.street,
      unit: lead.unit,
      city: lead.city,
      state: lead.state,
      zip: lead.zip,
      lawnSquareFeet: lead.lawnSquareFeet,
      won: false,
    },
  })
  const { control } = form
  const into = useWatch({ control, name: 'into' })
  const submit = async (values: Values) => {
    if (values.into === 'known' && !values.customer)
      return form.setError('customer', { message: 'Choose the customer.' })
    const { street, unit, city, state, zip, lawnSquareFeet } = values
    try {
      const now = await convert.mutateAsync({
        version: lead.version,
        ...(values.into === 'known' && values.customer ? { customerId: values.customer.value } : { name: values.name }),
        property: street.trim() ? { street, unit, city, state, zip, lawnSquareFeet, ...pinOf(lead, values) } : null,
        won: values.won,
        allowDuplicate: alike.length > 0,
      })
      toast.success(`${now.customer?.name ?? now.name} is a customer`)
      onClose()
      if (now.customer)
        void navigate(
          forQuote
            ? linkTo.newQuote({ customerId: now.customer.id, leadId: lead.id })
            : linkTo.customer(now.customer.id),
        )
    } catch (error) {
      const found = customerDuplicatesOf(error)
      if (!found) throw error
      setRefused(found)
    }
  }
  return (
    <Dialog
      open
      onClose={onClose}
      closeOnOutside={false}
      title={forQuote ? `A quote for ${lead.name}` : `Make ${lead.name} a customer`}
    >
      <Form form={form} label="Make a customer" onSubmit={submit}>
        {alike.length > 0 && into === 'new' ? (
          <Banner tone="warn" title="They may be a customer already.">
            <ul className="lead-known">
              {alike.map((one) => (
                <li key={one.customerId}>
                  <button
                    type="button"
                    onClick={() => {
                      form.setValue('into', 'known')
                      form.setValue('customer', { value: one.customerId, label: one.name })
                    }}
                  >
                    Put it with {one.name}
                  </button>
                  {one.street ? `, ${one.street}` : ''}
                </li>
              ))}
            </ul>
          </Banner>
        ) : null}
        <FormField control={control} name="into">
          {(f) => (
            <RadioField
              row
              label="Customer"
              options={[
                { value: 'new', label: 'A new one' },
                { value: 'known', label: 'One I have' },
              ]}
              {...f}
              onChange={(value) => f.onChange(value as Values['into'])}
            />
          )}
        </FormField>
        {into === 'known' ? (
          <FormField control={control} name="customer">
            {(f) => (
              <ComboboxField
                label="Which customer"
                placeholder="Name, street, phone or e-mail"
                emptyText="Nobody found"
                search={async (text, signal) =>
                  (await findPeople(text, signal)).map(({ id, name }) => ({ value: id, label: name }))
                }
                {...f}
              />
            )}
          </FormField>
        ) : (
          <FormField control={control} name="name" needed="A customer has a name.">
            {(f) => <TextField label="Name" maxLength={120} {...f} />}
          </FormField>
        )}
        <FieldGrid min={120}>
          <FormField control={control} name="street">
            {(f) => (
              <TextField
                label="Property: street"
                optional
                className="is-whole"
                maxLength={200}
                hint={into === 'known' ? 'One more property of theirs. Empty: none is added' : undefined}
                {...f}
              />
            )}
          </FormField>
          <FormField control={control} name="unit">
            {(f) => <TextField label="Unit" optional maxLength={60} {...f} />}
          </FormField>
          <FormField control={control} name="city">
            {(f) => <TextField label="City" optional maxLength={100} {...f} />}
          </FormField>
          <FormField control={control} name="state">
            {(f) => <StateField label="State" optional {...f} />}
          </FormField>
          <FormField control={control} name="zip">
            {(f) => <TextField label="ZIP code" optional maxLength={12} {...f} />}
          </FormField>
          <FormField control={control} name="lawnSquareFeet">
            {(f) => <NumberField label="Lawn" unit="sq ft" optional min={0} {...f} />}
          </FormField>
        </FieldGrid>
        {forQuote ? (
          <p className="hint">A quote is for a customer. The lead stays open until they answer it.</p>
        ) : (
          <FormField control={control} name="won">
            {(f) => (
              <CheckboxField
                label="They said yes: move the lead to Won"
                hint="Without it the lead goes on: to Quoted when a quote is sent, to Won or Lost by their answer."
                {...f}
              />
            )}
          </FormField>
        )}
        <FormActions>
          <Button type="submit" kind="primary" calls={businessLeadsApi.convert} loading={form.formState.isSubmitting}>
            {into === 'known'
              ? 'Put it with this customer'
              : alike.length > 0
                ? 'Make a new customer anyway'
                : forQuote
                  ? 'Go on to the quote'
                  : 'Make a customer'}
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </FormActions>
      </Form>
    </Dialog>
  )
}
