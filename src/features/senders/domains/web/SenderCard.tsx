import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { dayOf, formatDay } from '../../../../shared/dates.ts'
import { Badge, type Tone } from '../../../../ui/Badge.tsx'
import { Banner } from '../../../../ui/Banner.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { Card } from '../../../../ui/Card.tsx'
import { ConfirmDialog } from '../../../../ui/ConfirmDialog.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { ErrorState } from '../../../../ui/ErrorState.tsx'
import { Form } from '../../../../ui/Form.tsx'
import { FormActions } from '../../../../ui/FormActions.tsx'
import { FormField } from '../../../../ui/FormField.tsx'
import { RelativeTime } from '../../../../ui/RelativeTime.tsx'
import { PanelSkeleton } from '../../../../ui/Skeleton.tsx'
import { TextField } from '../../../../ui/TextField.tsx'
import { toast } from '../../../../ui/toast.tsx'
import { useMay, useUser } from '../../../accounts/web/session.ts'
import { type Sender, type SenderDomain, senderApi } from '../contract.ts'
import type { SenderState } from '../rules.ts'
import {
  senderQuery,
  useAddSender,
  useChangeSender,
  useCheckSender,
  useKeepKey,
  useRemoveSender,
  useRotateKey,
} from './data.ts'
import { SenderRecords } from './SenderRecords.tsx'

const states: Record<SenderState, { label: string; tone: Tone }> = {
  waiting: { label: 'Waiting for its records', tone: 'wait' },
  live: { label: 'Mail leaves from it', tone: 'done' },
  lapsed: { label: 'Switched off: its key is gone', tone: 'late' },
}

const AddressForm = ({
  label,
  start,
  submitLabel,
  calls,
  send,
  onClose,
}: {
  label: string
  start: string
  submitLabel: string
  calls: typeof senderApi.add | typeof senderApi.change
  send: (address: string) => Promise<unknown>
  onClose?: () => void
}) => {
  const form = useForm({ defaultValues: { address: start } })
  return (
    <Form
      form={form}
      label={label}
      onSubmit={async ({ address }) => {
        await send(address)
        onClose?.()
      }}
    >
      <FormField control={form.control} name="address" needed="Write the address that customers see.">
        {(f) => (
          <TextField
            label="Address that customers see"
            hint="At a domain of your own, like office@greenlawn.com. A mailbox at Gmail or Yahoo cannot be used."
            inputMode="email"
            autoComplete="off"
            {...f}
          />
        )}
      </FormField>
      <FormActions>
        <Button type="submit" kind="primary" calls={calls} loading={form.formState.isSubmitting}>
          {submitLabel}
        </Button>
        {onClose ? <Button onClick={onClose}>Cancel</Button> : null}
      </FormActions>
    </Form>
  )
}

/** What there is to know beside the records. */
const News = ({ sender, own }: { sender: Sender; own: SenderDomain }) => {
  const zone = useUser().business.timeZone
  return (
    <>
      {own.taken ? (
        <Banner tone="warn" title={`${own.shownDomain} is in use at Swath already.`}>
          Everything was found, but another business writes from this domain. If it is yours, write to support.
        </Banner>
      ) : null}
      {own.refused ? (
        <Banner tone="warn" title="The mail server does not take mail from this address.">
          It says: {own.refused.reason}. Mail leaves from {sender.swathAddress} meanwhile. Tell support, then press
          Check now.
        </Banner>
      ) : null}
      {own.state === 'lapsed' ? (
        <Banner tone="warn" title={`Mail leaves from ${sender.swathAddress} again.`}>
          The record of the key was gone twice. Nothing was lost. Set it again; it is found by itself, or press Check
          now.
        </Banner>
      ) : own.isMissing ? (
        <Banner tone="warn" title="The record of the key was gone at the last look.">
          If it is still gone at the next one, mail leaves from {sender.swathAddress}.
        </Banner>
      ) : null}
      {own.retired ? (
        <p className="hint">
          The record {own.retired.name} of the key before has to stay until{' '}
          {formatDay(dayOf(own.retired.until, zone), { year: true })}; then you can take it away.
        </p>
      ) : null}
    </>
  )
}

const Own = ({ sender, own }: { sender: Sender; own: SenderDomain }) => {
  const [open, setOpen] = useState<'change' | 'remove' | null>(null)
  const [check, rotate, keep, change, remove] = [
    useCheckSender(),
    useRotateKey(),
    useKeepKey(),
    useChangeSender(),
    useRemoveSender(),
  ]
  const { can } = sender
  const failed = { onError: (error: Error) => toast.error(error) }
  const look = () =>
    check.mutate(null, {
      ...failed,
      onSuccess: (now) =>
        toast.success(
          now.own?.state === 'live' ? `Mail leaves from ${now.own.address}` : 'Looked again; some records are missing',
        ),
    })
  const missing = own.records.some(({ needed, state }) => needed && state !== 'found')
  return (
    <>
      <News sender={sender} own={own} />
      {missing ? (
        <p>
          Set these records where you bought <b>{own.shownDomain}</b>. Some providers add {own.domain} to a name by
          themselves; then leave it out there.
        </p>
      ) : null}
      <SenderRecords records={own.records} localDnsPath={can.check ? sender.localDnsPath : null} />
      <p className="hint" role="status">
        {own.checkedAt ? (
          <>
            Looked at <RelativeTime at={own.checkedAt} />.{' '}
          </>
        ) : null}
        {own.nextLookAt === null ? (
          'We do not look by ourselves any more: press Check now.'
        ) : Date.parse(own.nextLookAt) > Date.now() ? (
          <>
            We look again by ourselves <RelativeTime at={own.nextLookAt} />.
          </>
        ) : (
          'We look again by ourselves soon.'
        )}
      </p>
      <div className="sender-do">
        {can.check ? (
          <Button kind="primary" calls={senderApi.check} loading={check.isPending} onClick={look}>
            Check now
          </Button>
        ) : null}
        {can.rotate ? (
          <Button
            calls={senderApi.rotate}
            loading={rotate.isPending}
            onClick={() =>
              rotate.mutate(own.version, {
                ...failed,
                onSuccess: () =>
                  toast.success('A new key was made. Set its record; the old one signs until it is found.'),
              })
            }
          >
            Make a new key
          </Button>
        ) : null}
        {can.keepKey ? (
          <Button
            loading={keep.isPending}
            onClick={() => keep.mutate(own.version, { ...failed, onSuccess: () => toast.success('The old key stays') })}
          >
            Keep the old key
          </Button>
        ) : null}
        {can.change ? (
          <Button kind="quiet" onClick={() => setOpen('change')}>
            Change the address
          </Button>
        ) : null}
        {can.remove ? (
          <Button kind="quiet" onClick={() => setOpen('remove')}>
            Remove
          </Button>
        ) : null}
      </div>
      <Dialog open={open === 'change'} onClose={() => setOpen(null)} title="Change the address">
        <AddressForm
          label="Change the address"
          start={own.address}
          submitLabel="Save the address"
          calls={senderApi.change}
          send={async (address) => {
            const now = await change.mutateAsync({ address, version: own.version })
            toast.success(`Customers see ${now.own?.address ?? address}`)
          }}
          onClose={() => setOpen(null)}
        />
      </Dialog>
      <ConfirmDialog
        open={open === 'remove'}
        onClose={() => setOpen(null)}
        title={`Remove ${own.address}?`}
        confirmLabel="Remove the address"
        danger
        onConfirm={() => remove.mutateAsync(own.version)}
      >
        Mail leaves from {sender.swathAddress} from now on, nothing waits or is lost. The keys are deleted and cannot
        come back: to use the address again you set new records.
      </ConfirmDialog>
    </>
  )
}

/** From which address mail to customers leaves, and the way to one of one's own. */
export const SenderCard = () => {
  const mayLook = useMay()(senderApi.get)
  const found = useQuery({ ...senderQuery, enabled: mayLook })
  const add = useAddSender()
  const sender = found.data
  const own = sender?.own
  // what this server sends from is no visitor's business
  if (!mayLook) return null
  return (
    <Card id="sender" flush className="settings-card">
      {sender ? (
        <>
          <div className="settings-card__words sender-head">
            <h2>
              Your own mail address{' '}
              {own ? (
                <Badge tone={own.refused ? 'late' : states[own.state].tone}>
                  {own.refused ? 'Refused by the mail server' : states[own.state].label}
                </Badge>
              ) : null}
            </h2>
            <p className="muted">
              Mail to customers leaves from <b>{sender.leavesFrom}</b>
              {own && own.address !== sender.leavesFrom && !own.refused && !own.taken
                ? `, and from ${own.address} once its records are found`
                : ''}
              . Answers come into your messages either way.
            </p>
          </div>
          {own ? (
            <Own sender={sender} own={own} />
          ) : sender.can.add ? (
            <AddressForm
              label="Your own mail address"
              start=""
              submitLabel="Show me the records to set"
              calls={senderApi.add}
              send={(address) => add.mutateAsync(address)}
            />
          ) : (
            <p className="hint">Only somebody with the permission for settings can set up an address of your own.</p>
          )}
        </>
      ) : found.isError ? (
        <ErrorState compact error={found.error} onRetry={() => void found.refetch()} retrying={found.isFetching} />
      ) : (
        <PanelSkeleton />
      )}
    </Card>
  )
}
