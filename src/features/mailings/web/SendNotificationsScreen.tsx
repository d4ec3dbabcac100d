import { useState } from 'react'
import { addDays, dayOf } from '../../../shared/dates.ts'
import { linkTo } from '../../../shared/links.ts'
import { hubPath } from '../../../shared/paths.ts'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { useDraft } from '../../../ui/drafts.ts'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { useUser } from '../../accounts/web/session.ts'
import { AudiencePicker } from './AudiencePicker.tsx'
import { choiceOf, type Offered, type Picked } from './audience.ts'
import { MessageForm, type MessageValues, useMessageForm } from './MessageForm.tsx'
import { SentMailings } from './SentMailings.tsx'
import './mailings.css'

type Props = {
  offered: Offered
  /** What the filters of the customers' list say, and whether they leave anybody out. */
  filter: Readonly<Record<string, unknown>>
  narrowed: boolean
}

/** One message to several customers: whom, how, what it costs and when it leaves, and below it what was sent. */
export const SendNotificationsScreen = ({ offered, filter, narrowed }: Props) => {
  const { timeZone } = useUser().business
  const [picked, setPicked] = useState<Picked>({
    audience: narrowed ? 'filter' : 'day',
    day: addDays(dayOf(new Date(), timeZone), 1),
    crewId: '',
    serviceId: '',
    people: [],
  })
  const form = useMessageForm()
  const forget = useDraft<MessageValues>('mailing', {
    form,
    base: () => ({ way: 'best', about: 'service', subject: '', en: '', es: '' }),
  })
  return (
    <>
      <PageHeader
        title="Send notifications"
        sub="One message to several customers, by text or e-mail"
        actions={
          <>
            <Button href={linkTo.campaigns()}>Campaigns</Button>
            <Button href={hubPath('customers', 'automations')}>Automations</Button>
          </>
        }
      />
      <div className="mailing-screen">
        <Card title="New message">
          <div className="mailing-new">
            <AudiencePicker picked={picked} onChange={setPicked} offered={offered} />
            <MessageForm
              choice={choiceOf(picked, filter)}
              form={form}
              nobody={
                <p className="muted">Choose who gets it: then it stands here whom it reaches and what it costs.</p>
              }
              onSent={() => {
                forget()
                form.reset()
              }}
            />
          </div>
        </Card>
        <SentMailings />
      </div>
    </>
  )
}
