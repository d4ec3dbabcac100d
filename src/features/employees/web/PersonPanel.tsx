import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { call } from '../../../shared/client.ts'
import { formatPhone } from '../../../shared/phone.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { KeyValue } from '../../../ui/KeyValue.tsx'
import { RecordPanel } from '../../../ui/RecordPanel.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useVersioned } from '../../../ui/useVersioned.tsx'
import { type Employee, employeesApi } from '../contract.ts'
import { Documents } from '../documents/web/Documents.tsx'
import { EmergencyContact } from '../emergency/web/EmergencyContact.tsx'
import { Licenses } from '../licenses/web/Licenses.tsx'
import { CrewDays } from '../staffing/web/CrewDays.tsx'
import { Wages } from '../wages/web/Wages.tsx'
import { useChangeEmployee, useSetActive } from './data.ts'
import { roleLabel, skillsIn, statusOf } from './labels.ts'
import { PersonFields, type PersonValues, usePersonWords } from './PersonFields.tsx'
import { PersonSignIn } from './PersonSignIn.tsx'
import { Whereabouts } from './Whereabouts.tsx'

type Props = {
  person: Employee | null
  onClose: () => void
  onPrevious: (() => void) | undefined
  onNext: (() => void) | undefined
}

const valuesOf = (person: Employee): PersonValues => ({
  name: person.name,
  email: person.email ?? '',
  phone: person.phone,
  role: person.role === 'Employee' ? 'Employee' : 'Admin',
  permissions: person.permissions,
  language: person.language,
  wageCentsPerHour: person.wageCentsPerHour,
  wageFrom: null,
  crewId: '',
  skills: person.skills.join(', '),
})

const bodyOf = ({ role: _, crewId: __, wageFrom: ___, permissions, skills, ...values }: PersonValues) => ({
  ...values,
  permissions: [...permissions].sort(),
  email: values.email.trim() || null,
  skills: skillsIn(skills),
})

const Editor = ({ person }: { person: Employee }) => {
  const form = useForm<PersonValues>({ defaultValues: valuesOf(person) })
  const change = useChangeEmployee(person.id)
  const { save, dialog, refill } = useVersioned({
    record: person,
    read: (record: Employee) => bodyOf(valuesOf(record)),
    load: async () => {
      const { items } = await call(employeesApi.list, { query: { status: 'all' } })
      return items.find(({ id }) => id === person.id)
    },
    words: usePersonWords(),
    live: { dirty: form.formState.isDirty, fill: (record) => form.reset(valuesOf(record)) },
  })
  const submit = (values: PersonValues) =>
    // Only what was touched: a wage that was not changed starts no new entry.
    save(bodyOf(values), async ({ wageCentsPerHour, ...changes }, { version }, also) => {
      const wage = wageCentsPerHour == null ? {} : { wageCentsPerHour }
      const saved = await change.mutateAsync({ ...changes, ...wage, version })
      refill(saved)
      toast.success(`${saved.name} saved${also}`)
    })
  return (
    <Form form={form} onSubmit={submit} label={person.name}>
      <PersonFields
        control={form.control}
        role={person.role === 'Employee' ? 'Employee' : 'Admin'}
        isOwner={person.role === 'Owner'}
        emailOpen={person.can.changeEmail}
      />
      <FormActions>
        <Button type="submit" kind="primary" loading={change.isPending} disabled={!form.formState.isDirty}>
          Save changes
        </Button>
      </FormActions>
      {dialog}
    </Form>
  )
}

/** One person beside the list. */
export const PersonPanel = ({ person, onClose, onPrevious, onNext }: Props) => {
  const [asking, setAsking] = useState(false)
  const setActive = useSetActive(person?.id ?? '')
  if (!person) return null
  const status = statusOf(person)
  const { can } = person
  return (
    <>
      <RecordPanel
        open
        onClose={onClose}
        onPrevious={onPrevious}
        onNext={onNext}
        title={person.name}
        sub={roleLabel(person)}
        badge={<Badge tone={status.tone}>{status.label}</Badge>}
        actions={
          can.deactivate ? (
            <Button kind="danger" size="s" onClick={() => setAsking(true)}>
              Deactivate
            </Button>
          ) : can.reactivate ? (
            <Button
              size="s"
              loading={setActive.isPending}
              onClick={() =>
                setActive.mutate(true, {
                  onSuccess: () => toast.success(`${person.name} can sign in again`),
                  onError: toast.error,
                })
              }
            >
              Let in again
            </Button>
          ) : null
        }
      >
        <div className="people-stack">
          <KeyValue
            items={[
              { label: 'E-mail', value: person.email ?? 'none' },
              { label: 'Mobile phone', value: can.update || !person.phone ? '' : formatPhone(person.phone) },
            ]}
          />
          {person.status === 'disabled' ? null : <PersonSignIn person={person} />}
          <CrewDays person={person} />
          <Whereabouts person={person} />
          <EmergencyContact person={person} />
          <Licenses person={person} />
          <Documents person={person} />
          <Wages person={person} />
          {can.update ? (
            <Editor key={person.id} person={person} />
          ) : person.status === 'disabled' ? (
            <p className="muted">
              Deactivated people keep everything they did.
              {can.reactivate ? ' Let them in again to change something.' : ''}
            </p>
          ) : null}
        </div>
      </RecordPanel>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={`Deactivate ${person.name}?`}
        confirmLabel={`Deactivate ${person.name.split(' ')[0]}`}
        danger
        onConfirm={async () => {
          await setActive.mutateAsync(false)
          toast.success(`${person.name} was signed out everywhere`)
          onClose()
        }}
      >
        They are signed out at once and leave their crew from today. Visits stay with the crew, hours and history stay
        with them.
      </ConfirmDialog>
    </>
  )
}
