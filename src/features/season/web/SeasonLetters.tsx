import { useQuery } from '@tanstack/react-query'
import { fetchFile } from '../../../shared/client.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { PanelSkeleton } from '../../../ui/Skeleton.tsx'
import { saveFile } from '../../../ui/saveFile.ts'
import { toast } from '../../../ui/toast.tsx'
import { type SeasonAcceptance, type SeasonLetter, seasonApi } from '../contract.ts'
import { lettersQuery, useSend } from './data.ts'
import { count } from './words.ts'

const wayOf = ({ kind, sentAt, channel, reason }: SeasonLetter): string =>
  sentAt !== null
    ? kind === 'stays'
      ? 'told that the day stays'
      : 'told'
    : channel === 'sms'
      ? 'by text'
      : channel === 'email'
        ? 'by e-mail'
        : `not reached: ${reason}`

type Props = { step: SeasonAcceptance; onClose: () => void }

/** What each customer who moved reads and by which way; sent once, and letters to print for the others. */
export const SeasonLetters = ({ step, onClose }: Props) => {
  const letters = useQuery(lettersQuery(step.id))
  const send = useSend(step.id)
  const { data } = letters
  const reached = data ? data.counts.texts + data.counts.emails : 0
  const print = async () => {
    try {
      const { blob } = await fetchFile(seasonApi.paper, { params: { id: step.id } })
      saveFile(blob, 'New service days.pdf')
    } catch (error) {
      toast.error(error)
    }
  }
  return (
    <Dialog open onClose={onClose} title="Tell who moves" size="l">
      {letters.error && !data ? (
        <ErrorState compact error={letters.error} onRetry={() => letters.refetch()} />
      ) : !data ? (
        <PanelSkeleton />
      ) : (
        <div className="season-letters">
          <p>
            {[
              data.counts.texts > 0 ? `${count(data.counts.texts, 'text')}` : '',
              data.counts.emails > 0 ? `${count(data.counts.emails, 'e-mail')}` : '',
              data.counts.told > 0 ? `${data.counts.told} told already` : '',
              data.counts.unreached > 0 ? `${data.counts.unreached} not reached` : '',
            ]
              .filter(Boolean)
              .join(', ') || 'Nobody of this step has another day or week now, so there is nothing to tell.'}
          </p>
          {data.counts.told > 0 ? (
            <Banner tone="done" title="They were told.">
              What has not left yet stays here when this step is taken back.
            </Banner>
          ) : null}
          <ul aria-label="Letters">
            {data.items.map((item) => (
              <li key={`${item.customerId} ${item.kind} ${item.sentAt}`}>
                <b>{item.customerName}</b>{' '}
                <span className="hint">
                  {wayOf(item)}
                  {item.language === 'es' ? ', in Spanish' : ''}
                </span>
                <p lang={item.language}>{item.text}</p>
              </li>
            ))}
          </ul>
          <FormActions>
            {step.can.send && reached > 0 ? (
              <Button
                kind="primary"
                calls={seasonApi.send}
                loading={send.isPending}
                onClick={() =>
                  send
                    .mutateAsync(reached)
                    .then(() =>
                      toast.success(
                        `${count(reached, 'customer')} will be told in 5 minutes; Undo until then tells nobody`,
                      ),
                    )
                    .catch(toast.error)
                }
              >
                Tell {count(reached, 'customer')}
              </Button>
            ) : null}
            {data.counts.unreached > 0 ? (
              <Button onClick={() => void print()}>Print {count(data.counts.unreached, 'letter')}</Button>
            ) : null}
            <Button onClick={onClose}>Close</Button>
          </FormActions>
        </div>
      )}
    </Dialog>
  )
}
