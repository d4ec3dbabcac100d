import { useEffect, useRef } from 'react'
import { useForm } from 'react-hook-form'
import { useNavigate } from 'react-router'
import { hubPath } from '../../../shared/paths.ts'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useAddEmployee } from './data.ts'
import { PersonFields, type PersonValues } from './PersonFields.tsx'

const empty: PersonValues = {
  name: '',
  email: '',
  phone: null,
  role: 'Employee',
  preset: 'crew',
  language: 'en',
  wageCentsPerHour: null,
  crewId: '',
}

/** A new person, by hand. */
export const CreatePerson = () => {
  const navigate = useNavigate()
  const form = useForm<PersonValues>({ defaultValues: empty })
  const add = useAddEmployee()
  const key = useRef(crypto.randomUUID())
  const role = form.watch('role')
  useEffect(() => {
    form.setValue('preset', role === 'Admin' ? 'dispatcher' : 'crew')
  }, [role, form])
  const submit = async ({ email, crewId, ...values }: PersonValues) => {
    const made = await add.mutateAsync({
      body: { ...values, email: email.trim() || null, crewId: crewId || null },
      key: key.current,
    })
    key.current = crypto.randomUUID()
    toast.success(`${made.name} is on the team`)
    void navigate(`${hubPath('employees', 'manage')}&person=${made.id}`)
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
