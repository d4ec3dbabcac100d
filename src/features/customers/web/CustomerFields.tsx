import { type PaperWay, paperWayNames, paperWays } from '../../../shared/paper-ways.ts'
import { formatPhone } from '../../../shared/phone.ts'
import { CheckboxField } from '../../../ui/CheckboxField.tsx'
import { FieldGrid } from '../../../ui/FieldGrid.tsx'
import { FormField } from '../../../ui/FormField.tsx'
import { NumberField } from '../../../ui/NumberField.tsx'
import { PhoneField } from '../../../ui/PhoneField.tsx'
import { RadioField } from '../../../ui/RadioField.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import { StateField } from '../../../ui/StateField.tsx'
import { TextAreaField } from '../../../ui/TextAreaField.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { type FieldWords, labelIn } from '../../../ui/TwoAnswers.tsx'
import { type OwnRhythm, ownRhythmLabels, ownRhythms } from '../../businesses/autoinvoices/rules.ts'
import { type ContactKind, contactKindLabels, contactKinds } from '../contacts/rules.ts'
import type { CustomerRecord } from '../contract.ts'
import { CustomInputs } from '../custom/web/CustomInput.tsx'
import { type CustomForm, customForm } from '../custom/web/data.ts'

/** A customer as the form holds it: no nulls in text, tags as one line. */
export type CustomerValues = {
  name: string
  company: string
  type: 'residential' | 'commercial'
  stage: 'lead' | 'active' | 'past'
  email: string
  phone: string | null
  tagLine: string
  notes: string
  billingStreet: string
  billingCity: string
  billingState: string
  billingZip: string
  termsDays: number | null
  invoiceGrouping: 'customer' | 'property' | 'visit'
  taxExempt: boolean
  holdInvoices: boolean
  autoInvoices: OwnRhythm | 'business'
  noLateFees: boolean
  language: 'en' | 'es'
  paperWay: PaperWay | 'business'
  gets: Record<ContactKind, boolean>
  custom: CustomForm
}

const messageLanguages = [
  { value: 'en', label: 'English' },
  { value: 'es', label: 'Spanish' },
] as const

export const customerValues = (record?: CustomerRecord): CustomerValues => ({
  name: record?.name ?? '',
  company: record?.company ?? '',
  type: record?.type ?? 'residential',
  stage: record?.stage ?? 'active',
  email: record?.email ?? '',
  phone: record?.phone ?? null,
  tagLine: record?.tags.join(', ') ?? '',
  notes: record?.notes ?? '',
  billingStreet: record?.billingStreet ?? '',
  billingCity: record?.billingCity ?? '',
  billingState: record?.billingState ?? '',
  billingZip: record?.billingZip ?? '',
  termsDays: record?.termsDays ?? null,
  invoiceGrouping: record?.invoiceGrouping ?? 'customer',
  taxExempt: record?.taxExempt ?? false,
  holdInvoices: record?.holdInvoices ?? false,
  autoInvoices: record?.autoInvoices ?? 'business',
  noLateFees: record?.noLateFees ?? false,
  language: record?.language ?? 'en',
  paperWay: record?.paperWay ?? 'business',
  gets: Object.fromEntries(contactKinds.map((kind) => [kind, record?.gets.includes(kind) ?? true])) as Record<
    ContactKind,
    boolean
  >,
  custom: customForm(record?.custom),
})

/** What is sent, but for custom fields: these are typed by what the business says they are. */
export const customerBody = ({ tagLine, paperWay, autoInvoices, gets, custom: _, ...values }: CustomerValues) => ({
  ...values,
  gets: contactKinds.filter((kind) => gets[kind]),
  paperWay: paperWay === 'business' ? null : paperWay,
  autoInvoices: autoInvoices === 'business' ? null : autoInvoices,
  tags: tagLine
    .split(',')
    .map((tag) => tag.trim())
    .filter(Boolean),
})

const kinds = [
  { value: 'residential', label: 'Home' },
  { value: 'commercial', label: 'Business or HOA' },
] as const
const stages = [
  { value: 'active', label: 'Active customer' },
  { value: 'lead', label: 'Lead: asked, not booked yet' },
  { value: 'past', label: 'Past customer' },
] as const
const ways = [
  { value: 'business' as const, label: 'As in your settings' },
  ...paperWayNames.map((value) => ({ value, label: paperWays[value] })),
]
const turns = [
  { value: 'business' as const, label: 'As in your settings' },
  ...ownRhythms.map((value) => ({ value, label: ownRhythmLabels[value] })),
]
const groupings = [
  { value: 'customer', label: 'Customer' },
  { value: 'property', label: 'Property' },
  { value: 'visit', label: 'Visit' },
] as const

/** What the form calls the fields that it sends. */
export const customerWords: FieldWords<ReturnType<typeof customerBody>> = {
  name: 'Name',
  phone: { label: 'Phone', show: (phone) => phone && formatPhone(phone) },
  email: 'E-mail',
  type: { label: 'Kind', show: labelIn(kinds) },
  stage: { label: 'Stage', show: labelIn(stages) },
  company: 'Company',
  tags: 'Tags',
  notes: 'Notes for the office',
  billingStreet: 'Billing street',
  billingCity: 'City',
  billingState: 'State',
  billingZip: 'ZIP code',
  invoiceGrouping: { label: 'One invoice for each', show: labelIn(groupings) },
  termsDays: { label: 'Pays within', show: (days) => (days === null ? 'As in your settings' : `${days} days`) },
  taxExempt: 'Exempt from sales tax',
  holdInvoices: 'Hold invoices',
  autoInvoices: {
    label: 'Automatic invoices',
    show: (own) => (own ? ownRhythmLabels[own] : 'As in your settings'),
  },
  noLateFees: 'No late fees',
  paperWay: { label: 'Invoices go by', show: (way) => (way ? paperWays[way] : 'As in your settings') },
  language: { label: 'Messages in', show: labelIn(messageLanguages) },
  gets: {
    label: 'Gets themself',
    show: (gets) => gets?.map((kind) => contactKindLabels[kind]).join(', ') || 'Nothing',
  },
}

/** Who it is and how to reach them. Must stand in a Form. */
export const ContactFields = () => (
  <FieldGrid>
    <FormField<CustomerValues, 'name'> name="name">
      {(f) => <TextField label="Name" autoComplete="off" className="is-whole" {...f} />}
    </FormField>
    <FormField<CustomerValues, 'phone'> name="phone">{(f) => <PhoneField label="Phone" optional {...f} />}</FormField>
    <FormField<CustomerValues, 'email'> name="email">
      {(f) => <TextField label="E-mail" type="email" autoComplete="off" optional {...f} />}
    </FormField>
  </FieldGrid>
)

export const MoreFields = () => (
  <FieldGrid>
    <FormField<CustomerValues, 'type'> name="type">
      {(f) => <RadioField row label="Kind" options={kinds} {...f} />}
    </FormField>
    <FormField<CustomerValues, 'language'> name="language">
      {(f) => <RadioField row label="Messages in" options={messageLanguages} {...f} />}
    </FormField>
    <FormField<CustomerValues, 'stage'> name="stage">
      {(f) => <SelectField label="Stage" options={stages} {...f} />}
    </FormField>
    <FormField<CustomerValues, 'company'> name="company">
      {(f) => <TextField label="Company" optional {...f} />}
    </FormField>
    <FormField<CustomerValues, 'tagLine'> name="tagLine">
      {(f) => (
        <TextField label="Tags" optional hint="Separate several by commas" placeholder="weekly, north side" {...f} />
      )}
    </FormField>
    <CustomInputs record="customer" />
    <FormField<CustomerValues, 'notes'> name="notes">
      {(f) => <TextAreaField label="Notes for the office" optional className="is-whole" rows={2} {...f} />}
    </FormField>
  </FieldGrid>
)

/** What goes to the customer's own e-mail and phone. */
export const GetsFields = () => (
  <fieldset className="gets-fields">
    <legend>Goes to their own e-mail and phone</legend>
    {contactKinds.map((kind) => (
      <FormField<CustomerValues, `gets.${ContactKind}`> key={kind} name={`gets.${kind}`}>
        {(f) => <CheckboxField label={contactKindLabels[kind]} {...f} />}
      </FormField>
    ))}
    <p className="hint">
      The rest goes to their contacts. What nobody gets of invoices and quotes goes to the customer all the same.
    </p>
  </fieldset>
)

export const BillingFields = () => (
  <div className="panel-stack">
    <FieldGrid min={150}>
      <FormField<CustomerValues, 'billingStreet'> name="billingStreet">
        {(f) => (
          <TextField
            label="Billing street"
            optional
            className="is-whole"
            hint="Only when invoices go somewhere else than the property"
            {...f}
          />
        )}
      </FormField>
      <FormField<CustomerValues, 'billingCity'> name="billingCity">
        {(f) => <TextField label="City" optional {...f} />}
      </FormField>
      <FormField<CustomerValues, 'billingState'> name="billingState">
        {(f) => <StateField label="State" optional {...f} />}
      </FormField>
      <FormField<CustomerValues, 'billingZip'> name="billingZip">
        {(f) => <TextField label="ZIP code" optional {...f} />}
      </FormField>
    </FieldGrid>
    <FieldGrid>
      <FormField<CustomerValues, 'invoiceGrouping'> name="invoiceGrouping">
        {(f) => <SelectField label="One invoice for each" options={groupings} {...f} />}
      </FormField>
      <FormField<CustomerValues, 'autoInvoices'> name="autoInvoices">
        {(f) => (
          <SelectField
            label="Automatic invoices"
            options={turns}
            hint="Counts while automatic invoices are on in your settings"
            {...f}
          />
        )}
      </FormField>
      <FormField<CustomerValues, 'termsDays'> name="termsDays">
        {(f) => (
          <NumberField
            label="Pays within"
            unit="days"
            min={0}
            max={365}
            optional
            hint="Empty: as in your settings"
            {...f}
          />
        )}
      </FormField>
      <FormField<CustomerValues, 'paperWay'> name="paperWay">
        {(f) => (
          <SelectField
            label="Invoices go by"
            options={ways}
            hint="Reminders, statements and receipts, too. Text only who asked for it; who replied STOP has e-mail."
            {...f}
          />
        )}
      </FormField>
      <FormField<CustomerValues, 'taxExempt'> name="taxExempt">
        {(f) => (
          <CheckboxField
            label="Exempt from sales tax"
            hint="A mark alone: certificates are kept at their invoices, under Tax exemption, and then only they decide"
            {...f}
          />
        )}
      </FormField>
      <FormField<CustomerValues, 'holdInvoices'> name="holdInvoices">
        {(f) => (
          <CheckboxField label="Hold invoices" hint="A batch leaves this customer out until you lift it" {...f} />
        )}
      </FormField>
      <FormField<CustomerValues, 'noLateFees'> name="noLateFees">
        {(f) => <CheckboxField label="No late fees" hint="Paying late costs them nothing; reminders still go" {...f} />}
      </FormField>
    </FieldGrid>
  </div>
)
