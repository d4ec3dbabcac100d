import { useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import { useNavigate } from 'react-router'
import { linkTo } from '../../../shared/links.ts'
import { has, type Permission, permissionPresets } from '../../../shared/roles.ts'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { CheckboxField } from '../../../ui/CheckboxField.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useUser } from '../../accounts/web/session.ts'
import { useAddEmployee } from './data.ts'
import { PersonFields, type PersonValues } from './PersonFields.tsx'

const empty: PersonValues = {
  name: '',
  email: '',
  phone: null,
  role: 'Employee',
  permissions: [],
  language: 'en',
  wageCentsPerHour: null,
  wageFrom: null,
  crewId: '',
  skills: '',
}

/** A new person, by hand. */
export const CreatePerson = () => {
  const navigate = useNavigate()
  const form = useForm<PersonValues>({ defaultValues: empty })
  const add = useAddEmployee()
  const user = useUser()
  const [sends, setSends] = useState(true)
  const role = form.watch('role')
  const mine = (permission: Permission) => has(user, permission)
  const channel = form.watch('email').trim() ? 'email' : form.watch('phone') && role === 'Employee' ? 'sms' : null
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another role starts the choice anew
  useEffect(() => {
    form.setValue('permissions', [...permissionPresets[role === 'Admin' ? 'dispatcher' : 'crew']].filter(mine))
  }, [role, form])
  const submit = async ({ email, crewId, skills: _, wageFrom, ...values }: PersonValues) => {
    const made = await add.mutateAsync({
      ...values,
      ...(wageFrom && values.wageCentsPerHour !== null ? { wageFrom } : {}),
      email: email.trim() || null,
      crewId: crewId || null,
      invite: sends ? channel : null,
    })
    toast.success(sends && channel ? `${made.name} is on the team and invited` : `${made.name} is on the team`)
    void navigate(linkTo.person(made.id))
  }
  return (
    <>
      <PageHeader
        title="Add a person"
        sub="A name is enough to plan with; the rest tells Swath what their time costs and where they sign in."
      />
      <Card className="people-form">
        <Form form={form} onSubmit={submit} label="New person">
          <PersonFields control={form.control} role={role} isNew />
          <CheckboxField
            label="Send the invitation right away"
            hint={
              channel === 'email'
                ? 'By e-mail: they set a password and are in.'
                : channel === 'sms'
                  ? 'By text: they set a PIN on their phone and are in.'
                  : 'Needs an e-mail, or a mobile phone for who works on a crew.'
            }
            value={sends && channel !== null}
            disabled={channel === null}
            onChange={setSends}
          />
          <FormActions>
            <Button type="submit" kind="primary" loading={add.isPending}>
              Add {form.watch('name').trim() || 'this person'}
            </Button>
          </FormActions>
        </Form>
      </Card>
    </>
  )
}
