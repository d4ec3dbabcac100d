import { useQuery } from '@tanstack/react-query'
import type { Control } from 'react-hook-form'
import { formatCents } from '../../../shared/money.ts'
import { formatPhone } from '../../../shared/phone.ts'
import { has, type Permission } from '../../../shared/roles.ts'
import { DateField } from '../../../ui/DateField.tsx'
import { FieldGrid } from '../../../ui/FieldGrid.tsx'
import { FormField } from '../../../ui/FormField.tsx'
import { MoneyField } from '../../../ui/MoneyField.tsx'
import { PhoneField } from '../../../ui/PhoneField.tsx'
import { RadioField } from '../../../ui/RadioField.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { type FieldWords, labelIn } from '../../../ui/TwoAnswers.tsx'
import { useToday, useUser } from '../../accounts/web/session.ts'
import { crewsQuery } from './data.ts'
import { permissionLabel } from './labels.ts'
import { Permissions } from './Permissions.tsx'

export type PersonValues = {
  name: string
  email: string
  phone: string | null
  role: 'Admin' | 'Employee'
  permissions: Permission[]
  language: 'en' | 'es'
  wageCentsPerHour: number | null
  /** Of a new person: since when it counts. */
  wageFrom: string | null
  crewId: string
  skills: string
}

const languages = [
  { value: 'en', label: 'English' },
  { value: 'es', label: 'Español' },
] as const

/** What the form calls the fields that it sends. */
export const usePersonWords = (): FieldWords<
  Omit<PersonValues, 'role' | 'email' | 'crewId' | 'skills' | 'wageFrom'> & { email: string | null; skills: string[] }
> => {
  return {
    name: 'Name',
    phone: { label: 'Mobile phone', show: (phone) => phone && formatPhone(phone) },
    email: 'E-mail',
    language: { label: 'Language of the crew app', show: labelIn(languages) },
    permissions: { label: 'May use', show: (given) => given.map((one) => permissionLabel[one].label).join(', ') },
    skills: { label: 'Skills', show: (skills) => skills.join(', ') },
    wageCentsPerHour: {
      label: 'Wage',
      show: (cents) => (cents === null ? null : `${formatCents(cents)} / hour`),
    },
  }
}

/** Who somebody is, what they may do, where they work. The e-mail is the sign-in and is set once. */
export const PersonFields = ({
  control,
  role,
  isNew,
  isOwner,
  emailOpen,
}: {
  control: Control<PersonValues>
  role: 'Admin' | 'Employee'
  isNew?: boolean
  isOwner?: boolean
  /** Until the first sign-in the office can fix the address. */
  emailOpen?: boolean
}) => {
  const user = useUser()
  const today = useToday()
  const crews = useQuery(crewsQuery)
  const seesWages = has(user, 'payroll')
  return (
    <div className="people-stack">
      <FieldGrid min={220}>
        <FormField control={control} name="name">
          {(f) => <TextField label="Name" maxLength={120} autoComplete="off" {...f} />}
        </FormField>
        <FormField control={control} name="phone">
          {(f) => <PhoneField label="Mobile phone" optional {...f} />}
        </FormField>
        {isNew || emailOpen ? (
          <FormField control={control} name="email">
            {(f) => (
              <TextField
                label="E-mail"
                type="email"
                optional
                hint="Where they will sign in. Crew without e-mail can be added without one."
                {...f}
              />
            )}
          </FormField>
        ) : null}
        <FormField control={control} name="language">
          {(f) => <SelectField label="Language of the crew app" options={languages} {...f} />}
        </FormField>
      </FieldGrid>
      {isNew ? (
        <FormField control={control} name="role">
          {(f) => (
            <RadioField
              label="Works"
              row
              options={[
                { value: 'Employee', label: 'on a crew' },
                { value: 'Admin', label: 'in the office' },
              ]}
              {...f}
            />
          )}
        </FormField>
      ) : null}
      {isOwner ? null : (
        <FormField control={control} name="permissions">
          {(f) => <Permissions role={role} value={f.value} onChange={f.onChange} error={f.error} />}
        </FormField>
      )}
      <FieldGrid min={220}>
        {isNew ? (
          <FormField control={control} name="crewId">
            {(f) => (
              <SelectField
                label="Crew, from today"
                options={[
                  { value: '', label: 'No crew' },
                  ...(crews.data?.items ?? []).map((crew) => ({ value: crew.id, label: crew.name })),
                ]}
                {...f}
              />
            )}
          </FormField>
        ) : (
          <FormField control={control} name="skills">
            {(f) => (
              <TextField
                label="Skills"
                optional
                hint="Separated by commas: irrigation, pruning. Their crew can do it on the days they are there."
                {...f}
              />
            )}
          </FormField>
        )}
        {seesWages && isNew ? (
          <FormField control={control} name="wageCentsPerHour">
            {(f) => (
              <MoneyField
                label="Wage"
                unit="/ hour"
                optional
                hint="Raises, lawns and burden are set on the person."
                {...f}
              />
            )}
          </FormField>
        ) : null}
        {seesWages && isNew ? (
          <FormField control={control} name="wageFrom">
            {(f) => (
              <DateField
                {...f}
                label="Paid so since"
                today={today}
                optional
                hint="Empty is from today. Take their first day where hours of before are still to come in."
              />
            )}
          </FormField>
        ) : null}
      </FieldGrid>
    </div>
  )
}
