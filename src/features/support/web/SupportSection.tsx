import { useQuery } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { FormField } from '../../../ui/FormField.tsx'
import { RadioField } from '../../../ui/RadioField.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { TextAreaField } from '../../../ui/TextAreaField.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useUser } from '../../accounts/web/session.ts'
import type { SupportGrant, SupportVisit } from '../contract.ts'
import { accessLogText, type GrantHours, grantHours, logText, momentText, noteMost } from '../rules.ts'
import { supportQuery, useEndSupport, useGrantSupport } from './data.ts'
import './support.css'

const hourOptions = grantHours.map((hours) => ({
  value: String(hours),
  label: hours === 1 ? '1 hour' : `${hours} hours`,
}))

const LetIn = () => {
  const grant = useGrantSupport()
  const form = useForm({ defaultValues: { hours: '4', note: '' } })
  return (
    <Form
      form={form}
      label="Let support in"
      onSubmit={async ({ hours, note }) => {
        await grant.mutateAsync({ hours: Number(hours) as GrantHours, note })
        toast.success('Support is let in')
      }}
    >
      <FormField control={form.control} name="hours">
        {(field) => <RadioField row label="For how long" options={hourOptions} {...field} />}
      </FormField>
      <FormField control={form.control} name="note">
        {(field) => (
          <TextAreaField label="What should support look at?" optional rows={2} maxLength={noteMost} {...field} />
        )}
      </FormField>
      <FormActions>
        <Button type="submit" loading={form.formState.isSubmitting}>
          Let support in
        </Button>
      </FormActions>
    </Form>
  )
}

type Moment = (instant: string) => string

const Open = ({ grant, moment }: { grant: SupportGrant; moment: Moment }) => {
  const end = useEndSupport()
  return (
    <div className="support-open">
      <div className="support-open__words">
        <b>
          Support may look until {moment(grant.expiresAt)} <Badge tone="now">Open</Badge>
        </b>
        <span className="hint">
          Let in by {grant.grantedBy}, {moment(grant.grantedAt)}
        </span>
        {grant.note ? <q>{grant.note}</q> : null}
      </div>
      <Button
        kind="danger"
        loading={end.isPending}
        onClick={() =>
          end.mutate(grant.id, {
            onSuccess: () => toast.success('Support access has ended'),
            onError: (error) => toast.error(error),
          })
        }
      >
        End access now
      </Button>
    </div>
  )
}

const Visit = ({ visit, timeZone }: { visit: SupportVisit; timeZone: string }) => (
  <li>
    <b>Swath support opened your business on {logText(visit.openedAt, timeZone)}</b>
    <span>{visit.entries.length ? `Looked at ${accessLogText(visit.entries)}` : 'Looked at nothing'}</span>
    <span className="hint">{visit.endedAt ? `Over since ${logText(visit.endedAt, timeZone)}` : 'Still open'}</span>
  </li>
)

/** The owner lets support look at the business for some hours, ends it, and reads what was looked at. */
export const SupportSection = () => {
  const user = useUser()
  const isOwner = user.role === 'Owner'
  const found = useQuery({ ...supportQuery, enabled: isOwner })
  if (!isOwner) return null
  const moment: Moment = (instant) => momentText(instant, user.business.timeZone, new Date().toISOString())
  return (
    <Card id="support" flush className="settings-card">
      <div className="settings-card__words">
        <h2>Support access</h2>
        <p className="muted">
          Swath support sees nothing of your business until you let it in. It can look, and change nothing; wages, gate
          codes and everybody’s sign-in stay hidden.
        </p>
      </div>
      {found.isError && !found.data ? (
        <ErrorState
          compact
          error={found.error}
          title="We could not load support access"
          onRetry={() => void found.refetch()}
          retrying={found.isFetching}
        />
      ) : found.data ? (
        <>
          {found.data.grant ? <Open grant={found.data.grant} moment={moment} /> : <LetIn />}
          <div className="support-log">
            <h3>What support looked at</h3>
            {found.data.visits.length === 0 ? (
              <p className="hint">Support has never opened your business.</p>
            ) : (
              <ul>
                {found.data.visits.map((visit) => (
                  <Visit key={visit.id} visit={visit} timeZone={user.business.timeZone} />
                ))}
              </ul>
            )}
          </div>
        </>
      ) : (
        <Skeleton height={120} />
      )}
    </Card>
  )
}
