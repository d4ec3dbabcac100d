import { useQuery } from '@tanstack/react-query'
import { useWatch } from 'react-hook-form'
import { ComboboxField } from '../../../ui/ComboboxField.tsx'
import { FieldGrid } from '../../../ui/FieldGrid.tsx'
import { FormField } from '../../../ui/FormField.tsx'
import { NumberField } from '../../../ui/NumberField.tsx'
import { PhoneField } from '../../../ui/PhoneField.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import { StateField } from '../../../ui/StateField.tsx'
import { TextAreaField } from '../../../ui/TextAreaField.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { findPeople } from '../../messages/web/data.ts'
import type { LeadRecord } from '../contract.ts'
import { type Source, sourceLabel, sources } from '../rules.ts'
import { peopleQuery } from './data.ts'

export type LeadValues = {
  name: string
  phone: string | null
  email: string
  street: string
  unit: string
  city: string
  state: string
  zip: string
  lawnSquareFeet: number | null
  wants: string
  source: Source | ''
  sourceDetail: string
  referredBy: { value: string; label: string } | null
  assigneeId: string
}

export const leadValues = (lead?: LeadRecord): LeadValues => ({
  name: lead?.name ?? '',
  phone: lead?.phone ?? null,
  email: lead?.email ?? '',
  street: lead?.street ?? '',
  unit: lead?.unit ?? '',
  city: lead?.city ?? '',
  state: lead?.state ?? '',
  zip: lead?.zip ?? '',
  lawnSquareFeet: lead?.lawnSquareFeet ?? null,
  wants: lead?.wants ?? '',
  source: lead?.source ?? '',
  sourceDetail: lead?.sourceDetail ?? '',
  referredBy: lead?.referredBy ? { value: lead.referredBy.id, label: lead.referredBy.name } : null,
  assigneeId: lead?.assignee?.id ?? '',
})

export const leadBody = ({ referredBy, assigneeId, source, ...values }: LeadValues) => ({
  ...values,
  source: (source || 'other') as Source,
  referredById: source === 'referral' ? (referredBy?.value ?? null) : null,
  assigneeId: assigneeId || null,
})

const sourceOptions = sources.map((value) => ({ value, label: sourceLabel[value] }))

/** Who asks, where, for what, and how they came. Must stand in a Form. */
export const LeadFields = () => {
  const people = useQuery(peopleQuery)
  const source = useWatch<LeadValues, 'source'>({ name: 'source' })
  return (
    <div className="lead-fields">
      <FieldGrid min={180}>
        <FormField<LeadValues, 'name'> name="name" needed="Who is it?">
          {(f) => <TextField label="Name" autoComplete="off" maxLength={120} className="is-whole" {...f} />}
        </FormField>
        <FormField<LeadValues, 'phone'> name="phone">{(f) => <PhoneField label="Phone" {...f} />}</FormField>
        <FormField<LeadValues, 'email'> name="email">
          {(f) => <TextField label="E-mail" type="email" autoComplete="off" optional {...f} />}
        </FormField>
        <FormField<LeadValues, 'wants'> name="wants">
          {(f) => (
            <TextAreaField
              label="What they asked for"
              optional
              rows={2}
              maxLength={2000}
              className="is-whole"
              placeholder="Weekly mowing, front and back"
              {...f}
            />
          )}
        </FormField>
        <FormField<LeadValues, 'source'> name="source" needed="How did they come?">
          {(f) => (
            <SelectField
              label="Came by"
              placeholder="Choose"
              options={sourceOptions}
              {...f}
              onChange={(v) => f.onChange(v as Source)}
            />
          )}
        </FormField>
        <FormField<LeadValues, 'assigneeId'> name="assigneeId">
          {(f) => (
            <SelectField
              label="Who answers"
              optional
              placeholder="Nobody yet"
              options={(people.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
              {...f}
            />
          )}
        </FormField>
        {source === 'referral' ? (
          <FormField<LeadValues, 'referredBy'> name="referredBy">
            {(f) => (
              <ComboboxField
                label="Sent by"
                optional
                className="is-whole"
                placeholder="Name, street or phone of a customer"
                emptyText="Nobody found"
                search={async (text, signal) =>
                  (await findPeople(text, signal)).map(({ id, name }) => ({ value: id, label: name }))
                }
                {...f}
              />
            )}
          </FormField>
        ) : source === 'ad' || source === 'other' ? (
          <FormField<LeadValues, 'sourceDetail'> name="sourceDetail">
            {(f) => <TextField label="Which one" optional className="is-whole" maxLength={300} {...f} />}
          </FormField>
        ) : null}
      </FieldGrid>
      <FieldGrid min={120}>
        <FormField<LeadValues, 'street'> name="street">
          {(f) => <TextField label="Street" optional className="is-whole" maxLength={200} {...f} />}
        </FormField>
        <FormField<LeadValues, 'city'> name="city">
          {(f) => <TextField label="City" optional maxLength={100} {...f} />}
        </FormField>
        <FormField<LeadValues, 'state'> name="state">{(f) => <StateField label="State" optional {...f} />}</FormField>
        <FormField<LeadValues, 'zip'> name="zip">
          {(f) => <TextField label="ZIP code" optional maxLength={12} {...f} />}
        </FormField>
        <FormField<LeadValues, 'lawnSquareFeet'> name="lawnSquareFeet">
          {(f) => <NumberField label="Lawn" unit="sq ft" optional min={0} {...f} />}
        </FormField>
      </FieldGrid>
    </div>
  )
}
