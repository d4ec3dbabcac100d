import { useState } from 'react'
import { dayOf, formatDay } from '../../../shared/dates.ts'
import { linkTo } from '../../../shared/links.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { Stars } from '../../../ui/Stars.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useUser } from '../../accounts/web/session.ts'
import { type Review, reviewsApi } from '../contract.ts'
import { hideReasonLabel, isOnPage, lowStars } from '../rules.ts'
import { useHandle, useKeepHidden, useShow } from './data.ts'
import { HideDialog, ReplyDialog, WithdrawDialog } from './ReviewDialogs.tsx'
import './reviews.css'

/** What one customer said, and what may be done about it. */
export const ReviewCard = ({ review }: { review: Review }) => {
  const { timeZone } = useUser().business
  const [dialog, setDialog] = useState<'reply' | 'withdraw' | 'hide' | null>(null)
  const handle = useHandle()
  const show = useShow()
  const keep = useKeepHidden()
  const { can, id, version } = review
  const run = (work: Promise<unknown>, done: string) =>
    void work.then(
      () => toast.success(done),
      (error: unknown) => toast.error(error as Error),
    )
  const day = (at: string) => formatDay(dayOf(at, timeZone))
  const low = review.stars <= lowStars
  return (
    <article className={`rv-one${low && review.handledAt === null ? ' is-waiting' : ''}`}>
      <div className="rv-head">
        <Stars value={review.stars} />
        <LinkTo href={linkTo.customer(review.customerId)}>
          <b>{review.customerName}</b>
        </LinkTo>
        {review.hiddenAt ? (
          <Badge tone="late">Hidden</Badge>
        ) : review.published ? (
          <Badge tone="done">On your page</Badge>
        ) : (
          <Badge tone="neutral">Only for you</Badge>
        )}
        {can.keepHidden ? <Badge tone="flag">Changed since you hid it</Badge> : null}
        {low && review.handledAt === null ? <Badge tone="flag">Needs you</Badge> : null}
        <span className="hint">
          {day(review.answeredAt)}
          {review.changedAt ? `, changed ${day(review.changedAt)}` : ''}
          {review.visitDay && review.jobId && review.visitId ? (
            <>
              {' · '}
              <LinkTo href={linkTo.job(review.jobId, { visitId: review.visitId })}>
                visit of {formatDay(review.visitDay)}
              </LinkTo>
            </>
          ) : null}
        </span>
      </div>
      {review.words ? <p className="rv-words">{review.words}</p> : <p className="muted">Without words.</p>}
      {isOnPage(review) ? (
        <p className="hint">
          Shown as {review.author}
          {review.city ? `, ${review.city}` : ''}
        </p>
      ) : null}
      {review.hiddenReason ? (
        <p className="muted">
          Off your page since {day(review.hiddenAt ?? review.answeredAt)}
          {review.hiddenByName ? ` by ${review.hiddenByName}` : ''}. {hideReasonLabel[review.hiddenReason]}. “
          {review.hiddenNote}”
        </p>
      ) : null}
      {review.reply ? (
        <div className="rv-reply">
          <b>{review.repliedByName ? `Reply by ${review.repliedByName}` : 'Your reply'}</b>
          <p>{review.reply}</p>
          {review.repliedBefore ? (
            <p className="hint">
              Written before the review was changed{isOnPage(review) ? ', and your page says so' : ''}.
            </p>
          ) : null}
        </div>
      ) : null}
      {Object.values(can).some(Boolean) ? (
        <div className="rv-actions">
          {can.reply ? (
            <Button size="s" calls={reviewsApi.reply} onClick={() => setDialog('reply')}>
              Reply
            </Button>
          ) : null}
          {can.editReply ? (
            <Button size="s" calls={reviewsApi.editReply} onClick={() => setDialog('reply')}>
              Change reply
            </Button>
          ) : null}
          {can.withdrawReply ? (
            <Button size="s" calls={reviewsApi.withdrawReply} onClick={() => setDialog('withdraw')}>
              Take reply back
            </Button>
          ) : null}
          {can.handle ? (
            <Button
              size="s"
              calls={reviewsApi.handle}
              loading={handle.isPending}
              onClick={() => run(handle.mutateAsync({ params: { id }, body: { version } }), 'Marked as taken care of')}
            >
              Taken care of
            </Button>
          ) : null}
          {can.show ? (
            <Button
              size="s"
              calls={reviewsApi.show}
              loading={show.isPending}
              onClick={() => run(show.mutateAsync({ params: { id }, body: { version } }), 'It is on your page again')}
            >
              Show it again
            </Button>
          ) : null}
          {can.keepHidden ? (
            <Button
              size="s"
              calls={reviewsApi.keepHidden}
              loading={keep.isPending}
              onClick={() => run(keep.mutateAsync({ params: { id }, body: { version } }), 'It stays hidden')}
            >
              Keep it hidden
            </Button>
          ) : null}
          {can.hide ? (
            <Button size="s" kind="quiet" calls={reviewsApi.hide} onClick={() => setDialog('hide')}>
              Hide…
            </Button>
          ) : null}
        </div>
      ) : null}
      {dialog === 'reply' ? <ReplyDialog review={review} onClose={() => setDialog(null)} /> : null}
      {dialog === 'withdraw' ? <WithdrawDialog review={review} onClose={() => setDialog(null)} /> : null}
      {dialog === 'hide' ? <HideDialog review={review} onClose={() => setDialog(null)} /> : null}
    </article>
  )
}
