import { useQuery } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { call } from '../../../../shared/client.ts'
import { formatPhone } from '../../../../shared/phone.ts'
import { Avatar } from '../../../../ui/Avatar.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { Card } from '../../../../ui/Card.tsx'
import { typeInto, useDraft } from '../../../../ui/drafts.ts'
import { ErrorState } from '../../../../ui/ErrorState.tsx'
import { FieldGrid } from '../../../../ui/FieldGrid.tsx'
import { Form } from '../../../../ui/Form.tsx'
import { FormActions } from '../../../../ui/FormActions.tsx'
import { FormField } from '../../../../ui/FormField.tsx'
import { IconLogout } from '../../../../ui/icons.ts'
import { PhoneField } from '../../../../ui/PhoneField.tsx'
import { SelectField } from '../../../../ui/SelectField.tsx'
import { PanelSkeleton } from '../../../../ui/Skeleton.tsx'
import { TextField } from '../../../../ui/TextField.tsx'
import { labelIn } from '../../../../ui/TwoAnswers.tsx'
import { toast } from '../../../../ui/toast.tsx'
import { useVersioned } from '../../../../ui/useVersioned.tsx'
import { needs } from '../../web/needs.ts'
import { useSession, useUser } from '../../web/session.ts'
import { type Me, meApi } from '../contract.ts'
import { meQuery, useChangeMe } from './data.ts'
import { EmailChange } from './EmailChange.tsx'
import './me.css'

const languages = [
  { value: 'en', label: 'English' },
  { value: 'es', label: 'Español' },
] as const

const pick = ({ name, phone, language }: Me) => ({ name, phone, language })

const Fields = ({ me }: { me: Me }) => {
  const change = useChangeMe()
  const form = useForm({
    resolver: needs<ReturnType<typeof pick>>({ name: 'Enter your name' }),
    defaultValues: pick(me),
  })
  const { isDirty, isSubmitting } = form.formState
  const { save, dialog, opened, reopen, refill } = useVersioned({
    record: me,
    read: pick,
    load: () => call(meApi.get, {}),
    words: {
      name: 'Name',
      phone: { label: 'Phone', show: (phone) => phone && formatPhone(phone) },
      language: { label: 'Language', show: labelIn(languages) },
    },
    live: { dirty: isDirty, fill: (record) => form.reset(pick(record)) },
  })
  const forget = useDraft('you', {
    form,
    base: () => pick(opened ?? me),
    record: opened ?? me,
    restore: ({ mine, record }) => {
      // what others changed meanwhile is asked about when it is saved over the version that this began with
      reopen(record)
      typeInto(form, mine)
    },
  })
  return (
    <Form
      form={form}
      label="Your details"
      onSubmit={(values) =>
        save(values, async (changes, { version }, also) => {
          const { profile } = await change.mutateAsync({ ...changes, version })
          refill(profile)
          forget()
          toast.success(`Your details are saved${also}`)
        })
      }
    >
      <FieldGrid min={200}>
        <FormField control={form.control} name="name">
          {(field) => <TextField label="Name" autoComplete="name" maxLength={120} {...field} />}
        </FormField>
        <FormField control={form.control} name="phone">
          {(field) => <PhoneField label="Phone" optional {...field} />}
        </FormField>
        <FormField control={form.control} name="language">
          {(field) => <SelectField label="Language" options={languages} hint="Of the crew app" {...field} />}
        </FormField>
      </FieldGrid>
      {isDirty ? (
        <FormActions>
          <Button type="submit" kind="primary" loading={isSubmitting}>
            Save your details
          </Button>
          <Button onClick={() => form.reset(pick(me))} disabled={isSubmitting}>
            Undo
          </Button>
        </FormActions>
      ) : null}
      {dialog}
    </Form>
  )
}

/** Who is signed in, and what they keep of themselves. */
export const YourDetails = () => {
  const user = useUser()
  const session = useSession()
  const found = useQuery(meQuery)
  return (
    <Card id="you" flush className="settings-card">
      <div className="settings-you">
        <Avatar name={user.name} size={52} />
        <div className="settings-card__words">
          <h2>{user.name}</h2>
          <p className="muted">
            {user.role === 'Owner' ? `Owner of ${user.business.name}` : `Admin at ${user.business.name}`}
          </p>
        </div>
        <Button icon={<IconLogout />} onClick={() => void session.signOut()}>
          Sign out
        </Button>
      </div>
      {found.data ? (
        <>
          <EmailChange me={found.data} />
          <Fields me={found.data} />
        </>
      ) : found.isError ? (
        <ErrorState
          compact
          error={found.error}
          title="We could not load your details"
          onRetry={() => void found.refetch()}
          retrying={found.isFetching}
        />
      ) : (
        <PanelSkeleton />
      )}
    </Card>
  )
}
