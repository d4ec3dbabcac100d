import { useForm } from 'react-hook-form'
import { call } from '../../../../shared/client.ts'
import type { PaperWay } from '../../../../shared/paper-ways.ts'
import { paperWayNames, paperWays } from '../../../../shared/paper-ways.ts'
import { formatPhone } from '../../../../shared/phone.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { FieldGrid } from '../../../../ui/FieldGrid.tsx'
import { Form } from '../../../../ui/Form.tsx'
import { FormActions } from '../../../../ui/FormActions.tsx'
import { FormField } from '../../../../ui/FormField.tsx'
import { PhoneField } from '../../../../ui/PhoneField.tsx'
import { SelectField } from '../../../../ui/SelectField.tsx'
import { TextField } from '../../../../ui/TextField.tsx'
import { labelIn } from '../../../../ui/TwoAnswers.tsx'
import { toast } from '../../../../ui/toast.tsx'
import { useVersioned } from '../../../../ui/useVersioned.tsx'
import { type CustomerContact, contactsApi } from '../contract.ts'
import { type ContactRole, contactKindLabels, contactKinds, contactRoleLabels, contactRoles } from '../rules.ts'
import { useContacts } from './data.ts'

type Way = PaperWay | 'none'
type Values = {
  name: string
  role: ContactRole
  email: string
  phone: string | null
  note: string
  invoicesBy: Way
  quotesBy: Way
  visitsBy: Way
  marketingBy: Way
}

const read = (contact: CustomerContact | null): Values => ({
  name: contact?.name ?? '',
  role: contact?.role ?? 'household',
  email: contact?.email ?? '',
  phone: contact?.phone ?? null,
  note: contact?.note ?? '',
  invoicesBy: contact?.invoicesBy ?? 'none',
  quotesBy: contact?.quotesBy ?? 'none',
  visitsBy: contact?.visitsBy ?? 'none',
  marketingBy: contact?.marketingBy ?? 'none',
})
const wayOf = (way: Way): PaperWay | null => (way === 'none' ? null : way)
const bodyOf = ({ invoicesBy, quotesBy, visitsBy, marketingBy, ...values }: Values) => ({
  ...values,
  invoicesBy: wayOf(invoicesBy),
  quotesBy: wayOf(quotesBy),
  visitsBy: wayOf(visitsBy),
  marketingBy: wayOf(marketingBy),
})

const roles = contactRoles.map((value) => ({ value, label: contactRoleLabels[value] }))
const ways = [
  { value: 'none' as const, label: 'Nothing' },
  ...paperWayNames.map((value) => ({ value, label: paperWays[value] })),
]
const showWay = (way: PaperWay | null) => (way ? paperWays[way] : 'Nothing')

const words = {
  name: 'Name',
  role: { label: 'Role', show: labelIn(roles) },
  phone: { label: 'Phone', show: (phone: string | null) => phone && formatPhone(phone) },
  email: 'E-mail',
  note: 'Note',
  invoicesBy: { label: contactKindLabels.invoices, show: showWay },
  quotesBy: { label: contactKindLabels.quotes, show: showWay },
  visitsBy: { label: contactKindLabels.visits, show: showWay },
  marketingBy: { label: contactKindLabels.marketing, show: showWay },
}

const hints = {
  invoices: 'Reminders and statements, too',
  quotes: undefined,
  visits: 'Reminders, moved days, on the way',
  marketing: 'Only who agreed to it',
}

type Props = { customer: { id: string; name: string }; contact: CustomerContact | null; onClose: () => void }

/** Adds a contact of a customer, or changes one: who it is, and what reaches them how. */
export const ContactDialog = ({ customer, contact, onClose }: Props) => {
  const form = useForm<Values>({ defaultValues: read(contact) })
  const { add, update } = useContacts(customer.id)
  const { save, dialog } = useVersioned({
    record: contact,
    read: (one: CustomerContact) => bodyOf(read(one)),
    load: async () =>
      (await call(contactsApi.list, { params: { id: customer.id } })).items.find(({ id }) => id === contact?.id),
    words,
  })
  const submit = async (values: Values) => {
    if (contact === null) {
      await add.mutateAsync(bodyOf(values))
      toast.success(`${values.name.trim()} is a contact of ${customer.name}`)
      onClose()
      return
    }
    await save(bodyOf(values), async (changes, { id, version }, also) => {
      await update.mutateAsync({ ...changes, id, version })
      toast.success(`${values.name.trim()} is saved${also}`)
      onClose()
    })
  }
  return (
    <Dialog
      open
      onClose={onClose}
      closeOnOutside={false}
      title={contact ? `Edit ${contact.name}` : `Add a contact of ${customer.name}`}
    >
      <Form form={form} onSubmit={submit} label="Contact">
        <FieldGrid>
          <FormField control={form.control} name="name">
            {(f) => <TextField label="Name" autoComplete="off" maxLength={120} {...f} />}
          </FormField>
          <FormField control={form.control} name="role">
            {(f) => <SelectField label="Role" options={roles} {...f} />}
          </FormField>
          <FormField control={form.control} name="phone">
            {(f) => <PhoneField label="Phone" optional {...f} />}
          </FormField>
          <FormField control={form.control} name="email">
            {(f) => <TextField label="E-mail" type="email" autoComplete="off" optional {...f} />}
          </FormField>
          {contactKinds.map((kind) => (
            <FormField key={kind} control={form.control} name={`${kind}By`}>
              {(f) => <SelectField label={contactKindLabels[kind]} options={ways} hint={hints[kind]} {...f} />}
            </FormField>
          ))}
          <FormField control={form.control} name="note">
            {(f) => <TextField label="Note" optional maxLength={500} className="is-whole" {...f} />}
          </FormField>
        </FieldGrid>
        <FormActions>
          <Button kind="primary" type="submit" loading={form.formState.isSubmitting}>
            {contact ? 'Save contact' : 'Add contact'}
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </FormActions>
      </Form>
      {dialog}
    </Dialog>
  )
}
