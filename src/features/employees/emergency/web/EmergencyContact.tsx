import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { call } from '../../../../shared/client.ts'
import type { CallInput } from '../../../../shared/endpoint.ts'
import { formatPhone } from '../../../../shared/phone.ts'
import { Button } from '../../../../ui/Button.tsx'
import { FieldGrid } from '../../../../ui/FieldGrid.tsx'
import { Form } from '../../../../ui/Form.tsx'
import { FormField } from '../../../../ui/FormField.tsx'
import { LinkTo } from '../../../../ui/LinkTo.tsx'
import { PhoneField } from '../../../../ui/PhoneField.tsx'
import { TextField } from '../../../../ui/TextField.tsx'
import { toast } from '../../../../ui/toast.tsx'
import { useIdempotentMutation } from '../../../../ui/useIdempotentMutation.ts'
import { useMay } from '../../../accounts/web/session.ts'
import type { Employee } from '../../contract.ts'
import { type EmergencyContact as Contact, emergencyApi } from '../contract.ts'

const contactQuery = (userId: string) =>
  queryOptions({
    queryKey: ['crews', 'emergency', userId],
    queryFn: ({ signal }) => call(emergencyApi.get, { params: { id: userId } }, { signal }),
  })

const Editor = ({ contact, onDone }: { contact: Contact; onDone: () => void }) => {
  const client = useQueryClient()
  const save = useIdempotentMutation({
    mutationFn: (body: CallInput<typeof emergencyApi.set>['body'], key) =>
      call(emergencyApi.set, { params: { id: contact.userId }, body }, { idempotencyKey: key }),
    onSuccess: (saved) => client.setQueryData(contactQuery(contact.userId).queryKey, saved),
  })
  const form = useForm({ defaultValues: { name: contact.name, relation: contact.relation, phone: contact.phone } })
  const submit = async (values: { name: string; relation: string; phone: string | null }) => {
    const saved = await save.mutateAsync({ ...values, version: contact.version })
    toast.success(saved.name ? 'Emergency contact saved' : 'Emergency contact taken off')
    onDone()
  }
  return (
    <Form form={form} onSubmit={submit} label="Emergency contact">
      <div className="crewdays__form">
        <FieldGrid min={150}>
          <FormField control={form.control} name="name">
            {(f) => <TextField label="Contact name" maxLength={80} {...f} />}
          </FormField>
          <FormField control={form.control} name="relation">
            {(f) => <TextField label="Relation" optional maxLength={60} placeholder="Mother" {...f} />}
          </FormField>
          <FormField control={form.control} name="phone">
            {(f) => <PhoneField label="Contact phone" {...f} />}
          </FormField>
        </FieldGrid>
        <div className="people-signin__actions">
          <Button type="submit" kind="primary" size="s" loading={form.formState.isSubmitting}>
            Save the contact
          </Button>
          <Button size="s" onClick={onDone}>
            Cancel
          </Button>
        </div>
      </div>
    </Form>
  )
}

/** Whom to call when something happens to a person at work. */
export const EmergencyContact = ({ person }: { person: Employee }) => {
  const may = useMay()
  const found = useQuery({ ...contactQuery(person.id), enabled: may(emergencyApi.get) })
  const [editing, setEditing] = useState(false)
  const contact = found.data
  if (!contact) return null
  const changes = person.can.update && may(emergencyApi.set)
  return (
    <section className="crewdays" aria-labelledby={`emergency-${person.id}`}>
      <h3 id={`emergency-${person.id}`}>In an emergency</h3>
      {editing ? (
        <Editor contact={contact} onDone={() => setEditing(false)} />
      ) : (
        <>
          {contact.phone ? (
            <p>
              <b>{contact.name}</b>
              {contact.relation ? `, ${contact.relation.toLowerCase()}` : ''} ·{' '}
              <LinkTo href={`tel:${contact.phone}`}>{formatPhone(contact.phone)}</LinkTo>
            </p>
          ) : (
            <p className="hint">Nobody to call yet.</p>
          )}
          {changes ? (
            <div className="people-signin__actions">
              <Button size="s" onClick={() => setEditing(true)}>
                {contact.phone ? 'Change the contact' : 'Add a contact'}
              </Button>
            </div>
          ) : null}
        </>
      )}
    </section>
  )
}
