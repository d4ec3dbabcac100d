import { useState } from 'react'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { RadioField } from '../../../ui/RadioField.tsx'
import { TextAreaField } from '../../../ui/TextAreaField.tsx'
import { toast } from '../../../ui/toast.tsx'
import { type Review, reviewsApi } from '../contract.ts'
import { type HideReason, hideReasonLabel, hideReasons, longestWords } from '../rules.ts'
import { useEditReply, useHide, useReply, useWithdrawReply } from './data.ts'
import './reviews.css'

type Props = { review: Review; onClose: () => void }

/** The one reply to a review, for everybody to read. */
export const ReplyDialog = ({ review, onClose }: Props) => {
  const [words, setWords] = useState(review.reply)
  const isOther = review.reply !== ''
  const [first, other] = [useReply(), useEditReply()]
  const reply = isOther ? other : first
  const submit = async () => {
    await reply.mutateAsync({ params: { id: review.id }, body: { words, version: review.version } })
    toast.success(isOther ? 'Your reply is changed' : 'Your reply stands under the review')
    onClose()
  }
  return (
    <Dialog open onClose={onClose} title={isOther ? 'Change your reply' : `Reply to ${review.author}`}>
      <div className="rv-form">
        <p className="muted">
          One reply, for everybody to read. Thank them, or say what you put right; leave names and addresses out. You
          can change it or take it back later.
        </p>
        <TextAreaField
          label="Your reply"
          rows={5}
          value={words}
          onChange={setWords}
          maxLength={longestWords}
          autoFocus
        />
        {reply.error ? <Banner tone="error">{reply.error.message}</Banner> : null}
        <FormActions>
          <Button
            calls={isOther ? reviewsApi.editReply : reviewsApi.reply}
            kind="primary"
            loading={reply.isPending}
            disabled={words.trim() === '' || words === review.reply}
            onClick={() => void submit().catch(() => undefined)}
          >
            {isOther ? 'Save reply' : 'Reply in public'}
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </FormActions>
      </div>
    </Dialog>
  )
}

/** The reply goes from the page at once. */
export const WithdrawDialog = ({ review, onClose }: Props) => {
  const withdraw = useWithdrawReply()
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title="Take your reply back?"
      confirmLabel="Take it back"
      onConfirm={async () => {
        await withdraw.mutateAsync({ params: { id: review.id }, body: { version: review.version } })
        toast.success('Your reply is off your page')
      }}
    >
      It goes from your page at once. The review stays, and you can write another reply.
    </ConfirmDialog>
  )
}

/** Why a review comes off the page; few stars are no reason. */
export const HideDialog = ({ review, onClose }: Props) => {
  const [reason, setReason] = useState('')
  const [note, setNote] = useState('')
  const hide = useHide()
  const submit = async () => {
    await hide.mutateAsync({
      params: { id: review.id },
      body: { reason: reason as HideReason, note, version: review.version },
    })
    toast.success('The review is off your page')
    onClose()
  }
  return (
    <Dialog open onClose={onClose} title={`Hide the review of ${review.author}`}>
      <div className="rv-form">
        <Banner tone="info">
          Reviews stay up because they are true, not because they are kind: hiding one for its stars is against the law.
          The reason is kept, and its customer reads it.
        </Banner>
        <RadioField
          label="Why?"
          value={reason}
          onChange={setReason}
          options={hideReasons.map((value) => ({ value, label: hideReasonLabel[value] }))}
        />
        <TextAreaField
          label="What exactly?"
          hint="For your own records."
          rows={3}
          value={note}
          onChange={setNote}
          maxLength={500}
        />
        {hide.error ? <Banner tone="error">{hide.error.message}</Banner> : null}
        <FormActions>
          <Button
            calls={reviewsApi.hide}
            kind="danger"
            loading={hide.isPending}
            disabled={reason === '' || note.trim().length < 5}
            onClick={() => void submit().catch(() => undefined)}
          >
            Hide it
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </FormActions>
      </div>
    </Dialog>
  )
}
