import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { call } from '../../../../shared/client.ts'
import { type Day, daysBetween, formatDay } from '../../../../shared/dates.ts'
import { Badge } from '../../../../ui/Badge.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { DateField } from '../../../../ui/DateField.tsx'
import { ErrorState } from '../../../../ui/ErrorState.tsx'
import { FieldGrid } from '../../../../ui/FieldGrid.tsx'
import { Form } from '../../../../ui/Form.tsx'
import { FormField } from '../../../../ui/FormField.tsx'
import { StateField } from '../../../../ui/StateField.tsx'
import { TextField } from '../../../../ui/TextField.tsx'
import { toast } from '../../../../ui/toast.tsx'
import { useVersioned } from '../../../../ui/useVersioned.tsx'
import { useMay } from '../../../accounts/web/session.ts'
import { businessQuery } from '../../../businesses/web/data.ts'
import type { Employee } from '../../contract.ts'
import { licenseWarningDays } from '../../staffing/rules.ts'
import { type License, licensesApi } from '../contract.ts'
import { licensesQuery, useLicenses } from './data.ts'

type Values = { skill: string; number: string; state: string; validFrom: Day | null; expiresOn: Day | null }

const valuesOf = (license: License | null, home: string): Values => ({
  skill: license?.skill ?? '',
  number: license?.number ?? '',
  state: license?.state ?? home,
  validFrom: license?.validFrom ?? null,
  expiresOn: license?.expiresOn ?? null,
})
const bodyOf = (values: Values) => ({ ...values, expiresOn: values.expiresOn ?? '' })

/** How long it is still good, as a badge. */
const Validity = ({ license, today }: { license: License; today: Day }) => {
  const left = daysBetween(today, license.expiresOn)
  return license.left ? (
    <Badge tone="neutral">left, does not count</Badge>
  ) : left < 0 ? (
    <Badge tone="late">expired {formatDay(license.expiresOn, { year: true })}</Badge>
  ) : license.validFrom && license.validFrom > today ? (
    <Badge tone="neutral">from {formatDay(license.validFrom, { year: true })}</Badge>
  ) : (
    <Badge tone={left <= licenseWarningDays ? 'wait' : 'done'}>
      to {formatDay(license.expiresOn, { year: true })}
      {left <= licenseWarningDays ? `, ${left === 0 ? 'today' : left === 1 ? '1 day' : `${left} days`}` : ''}
    </Badge>
  )
}

const dayLabel = (day: Day | null) => (day ? formatDay(day, { year: true }) : 'Not said')

const Editor = ({
  person,
  license,
  today,
  onDone,
}: {
  person: Employee
  license: License | null
  today: Day
  onDone: () => void
}) => {
  const { data: business } = useQuery(businessQuery)
  const { add, change, keep } = useLicenses(person.id)
  const form = useForm<Values>({ defaultValues: valuesOf(license, business?.state ?? '') })
  const versioned = useVersioned<License, ReturnType<typeof bodyOf>>({
    record: license,
    read: (record) => bodyOf(valuesOf(record, '')),
    load: () => call(licensesApi.get, { params: { id: license?.id ?? '' } }),
    words: {
      skill: 'Allows',
      number: 'Number',
      state: 'State',
      validFrom: { label: 'Valid from', show: dayLabel },
      expiresOn: { label: 'Last valid day', show: dayLabel },
    },
  })
  const submit = async (values: Values) => {
    if (!values.state) return form.setError('state', { message: 'Pick a state.' }, { shouldFocus: true })
    if (!values.expiresOn)
      return form.setError('expiresOn', { message: 'Until when is it valid?' }, { shouldFocus: true })
    const body = bodyOf(values)
    if (!license) {
      await add.mutateAsync(body)
      toast.success(`${person.name} has a license for “${body.skill}”`)
      return onDone()
    }
    await versioned.save(body, async (changes, over, also) => {
      await change.mutateAsync({ ...bodyOf(valuesOf(over, '')), ...changes, id: over.id, version: over.version })
      toast.success(`License saved${also}`)
      onDone()
    })
  }
  const remove = async () => {
    if (!license) return
    try {
      const gone = await keep.mutateAsync({ id: license.id, version: license.version, verb: 'remove' })
      onDone()
      toast.undo(`The license for “${gone.skill}” is off`, () =>
        keep.mutateAsync({ id: gone.id, version: gone.version, verb: 'restore' }).catch(toast.error),
      )
    } catch (error) {
      toast.error(error)
    }
  }
  return (
    <Form form={form} onSubmit={submit} label={license ? 'Change the license' : 'New license'}>
      <div className="crewdays__form">
        <FormField control={form.control} name="skill" needed="What does it allow?">
          {(f) => (
            <TextField label="Allows" maxLength={40} hint="As your services name it under skills: applicator." {...f} />
          )}
        </FormField>
        <FieldGrid min={150}>
          <FormField control={form.control} name="number">
            {(f) => <TextField label="Number" optional maxLength={60} {...f} />}
          </FormField>
          <FormField control={form.control} name="state">
            {(f) => <StateField label="State" {...f} />}
          </FormField>
          <FormField control={form.control} name="validFrom">
            {(f) => <DateField label="Valid from" optional today={today} {...f} />}
          </FormField>
          <FormField control={form.control} name="expiresOn">
            {(f) => <DateField label="Last valid day" today={today} {...f} />}
          </FormField>
        </FieldGrid>
        <div className="people-signin__actions">
          <Button type="submit" kind="primary" size="s" loading={form.formState.isSubmitting}>
            {license ? 'Save the license' : 'Add the license'}
          </Button>
          {license ? (
            <Button size="s" kind="danger" loading={keep.isPending} onClick={() => void remove()}>
              Remove
            </Button>
          ) : null}
          <Button size="s" onClick={onDone}>
            Cancel
          </Button>
        </div>
      </div>
      {versioned.dialog}
    </Form>
  )
}

/** What a person is licensed for, and until when. */
export const Licenses = ({ person }: { person: Employee }) => {
  const found = useQuery(licensesQuery(person.id))
  const may = useMay()
  const [editing, setEditing] = useState<string | null>(null)
  if (found.error && !found.data) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return null
  const { items, today } = found.data
  const changes = person.can.update && may(licensesApi.create)
  if (items.length === 0 && !changes) return null
  const done = () => setEditing(null)
  return (
    <section className="crewdays" aria-labelledby={`licenses-${person.id}`}>
      <h3 id={`licenses-${person.id}`}>Licenses</h3>
      {items.length > 0 ? (
        <ol>
          {items.map((license) =>
            editing === license.id ? (
              <li key={license.id}>
                <Editor person={person} license={license} today={today} onDone={done} />
              </li>
            ) : (
              <li key={license.id}>
                <b>{license.skill}</b>
                <span className="hint">
                  {license.state} {license.number}
                </span>
                <Validity license={license} today={today} />
                {changes ? (
                  <Button
                    size="s"
                    kind="quiet"
                    aria-label={`Change the license for ${license.skill}`}
                    onClick={() => setEditing(license.id)}
                  >
                    Change
                  </Button>
                ) : null}
              </li>
            ),
          )}
        </ol>
      ) : editing === null ? (
        <p className="hint">
          None. With one on file, work that needs it is only given to a crew with somebody at work who has a valid one.
        </p>
      ) : null}
      {editing === 'new' ? (
        <Editor person={person} license={null} today={today} onDone={done} />
      ) : changes && editing === null ? (
        <div className="people-signin__actions">
          <Button size="s" onClick={() => setEditing('new')}>
            Add a license
          </Button>
        </div>
      ) : null}
    </section>
  )
}
