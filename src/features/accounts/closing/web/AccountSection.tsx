import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { ApiError } from '../../../../shared/client.ts'
import { Banner } from '../../../../ui/Banner.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { Card } from '../../../../ui/Card.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { Form } from '../../../../ui/Form.tsx'
import { FormActions } from '../../../../ui/FormActions.tsx'
import { FormField } from '../../../../ui/FormField.tsx'
import { SelectField } from '../../../../ui/SelectField.tsx'
import { TextField } from '../../../../ui/TextField.tsx'
import { toast } from '../../../../ui/toast.tsx'
import { needs } from '../../web/needs.ts'
import { useSession, useUser } from '../../web/session.ts'
import type { Closing } from '../contract.ts'
import { closeBusiness, closingQuery, transferOwnership } from './data.ts'

const Transfer = ({ closing, onDone }: { closing: Closing; onDone: () => void }) => {
  const session = useSession()
  const client = useQueryClient()
  const form = useForm({
    resolver: needs<{ userId: string; password: string }>({
      userId: 'Choose who takes it over',
      password: 'Enter your password',
    }),
    defaultValues: { userId: '', password: '' },
  })
  const transfer = async (values: { userId: string; password: string }) => {
    try {
      await transferOwnership(values)
    } catch (error) {
      // The answer may have been lost on the way: who is no owner any more has handed it over.
      const wasDone = error instanceof ApiError && error.status === 403
      if (!wasDone || (await session.refreshUser())?.role === 'Owner') throw error
    }
    const name = closing.candidates.find((person) => person.id === values.userId)?.name ?? 'The new owner'
    toast.success(`${name} is the owner now`)
    onDone()
    await session.refreshUser()
    await client.invalidateQueries()
  }
  return (
    <Form form={form} label="Transfer the business" onSubmit={transfer}>
      <p className="muted">
        The new owner can do everything, the subscription and closing the business included. You stay as an Admin. Both
        of you get a mail.
      </p>
      <FormField control={form.control} name="userId">
        {(field) => (
          <SelectField
            label="New owner"
            placeholder="Choose an Admin"
            options={closing.candidates.map((person) => ({
              value: person.id,
              label: person.email ? `${person.name} (${person.email})` : person.name,
            }))}
            {...field}
          />
        )}
      </FormField>
      <FormField control={form.control} name="password">
        {(field) => <TextField label="Your password" type="password" autoComplete="current-password" {...field} />}
      </FormField>
      <FormActions>
        <Button type="submit" kind="primary" loading={form.formState.isSubmitting}>
          Transfer
        </Button>
        <Button onClick={onDone}>Cancel</Button>
      </FormActions>
    </Form>
  )
}

const Close = ({ closing, onDone }: { closing: Closing; onDone: () => void }) => {
  const session = useSession()
  const form = useForm({
    resolver: needs<{ businessName: string; password: string }>({
      businessName: 'Type the name of the business',
      password: 'Enter your password',
    }),
    defaultValues: { businessName: '', password: '' },
  })
  return (
    <Form
      form={form}
      label="Close the business"
      onSubmit={async (values) => {
        await closeBusiness(values)
        await session.signOut()
      }}
    >
      <Banner tone="warn" title="This closes it for everybody">
        Everybody is signed out at once. You are mailed a link to everything, good for the 30 days in which you can open
        the business again by signing in; then every record is deleted and cannot be brought back.
      </Banner>
      <FormField control={form.control} name="businessName">
        {(field) => <TextField label={`Type ${closing.businessName}`} autoComplete="off" {...field} />}
      </FormField>
      <FormField control={form.control} name="password">
        {(field) => <TextField label="Your password" type="password" autoComplete="current-password" {...field} />}
      </FormField>
      <FormActions>
        <Button type="submit" kind="danger" loading={form.formState.isSubmitting}>
          Close the business
        </Button>
        <Button onClick={onDone}>Keep it</Button>
      </FormActions>
    </Form>
  )
}

/** What only the owner does with the business as a whole: hand it over, close it. */
export const AccountSection = () => {
  const user = useUser()
  const closing = useQuery({ ...closingQuery, enabled: user.role === 'Owner' }).data
  const [open, setOpen] = useState<'transfer' | 'close' | null>(null)
  if (user.role !== 'Owner') return null
  const nobody = closing?.candidates.length === 0
  return (
    <Card id="account" flush className="settings-card">
      <div className="settings-card__words">
        <h2>Account</h2>
        <p className="muted">Only you as the owner see this</p>
      </div>
      <div className="own-row">
        <div>
          <b>Transfer the business</b>
          <span className="hint">
            {nobody
              ? 'Make somebody an Admin first, under Employees.'
              : 'Another Admin becomes the owner; you stay as an Admin.'}
          </span>
        </div>
        <Button size="s" disabled={!closing || nobody} onClick={() => setOpen('transfer')}>
          Transfer
        </Button>
      </div>
      <div className="own-row">
        <div>
          <b>Close the business</b>
          <span className="hint">
            {closing?.subscriptionRuns
              ? 'End the subscription under Plan first, so that you are not charged again.'
              : 'Can be undone for 30 days; then everything is deleted.'}
          </span>
        </div>
        <Button size="s" kind="danger" disabled={!closing || closing.subscriptionRuns} onClick={() => setOpen('close')}>
          Close
        </Button>
      </div>
      <Dialog open={open === 'transfer'} onClose={() => setOpen(null)} title="Transfer the business" size="s">
        {closing && open === 'transfer' ? <Transfer closing={closing} onDone={() => setOpen(null)} /> : null}
      </Dialog>
      <Dialog open={open === 'close'} onClose={() => setOpen(null)} title="Close the business" size="s">
        {closing && open === 'close' ? <Close closing={closing} onDone={() => setOpen(null)} /> : null}
      </Dialog>
    </Card>
  )
}
