import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { toast } from '../../../ui/toast.tsx'
import { noWords } from '../content/rules.ts'
import { campaignsApi } from '../contract.ts'
import type { Starter } from '../starters/rules.ts'
import { starters } from '../starters/rules.ts'
import { useCampaigns } from './data.ts'

const empty = (channel: 'email' | 'sms'): Starter => ({
  key: channel,
  name: channel === 'email' ? 'E-mail campaign' : 'Text campaign',
  about: channel === 'email' ? 'Written by you, by e-mail' : 'Written by you, by text',
  channel,
  conditions: [],
  content: { en: { ...noWords, blocks: channel === 'email' ? [{ kind: 'text', text: '' }] : [] }, es: noWords },
})

type Props = { onClose: () => void; onMade: (id: string) => void }

/** Begins with one that is ready, or with an empty page. */
export const NewCampaign = ({ onClose, onMade }: Props) => {
  const { create } = useCampaigns()
  const make = ({ name, channel, conditions, content }: Starter) =>
    create.mutate(
      { name, channel, conditions, content },
      {
        // the one that is open now takes the place of this dialog
        onSuccess: ({ id }) => onMade(id),
        onError: toast.error,
      },
    )
  const list = (of: readonly Starter[]) => (
    <ul className="cp-starters">
      {of.map((one) => (
        <li key={one.key}>
          <span>
            <b>{one.name}</b>
            <span className="muted">{one.about}</span>
          </span>
          <Button
            size="s"
            calls={campaignsApi.create}
            disabled={create.isPending}
            aria-label={`Use ${one.name}`}
            onClick={() => make(one)}
          >
            Use
          </Button>
        </li>
      ))}
    </ul>
  )
  return (
    <Dialog open onClose={onClose} title="New campaign">
      <div className="cp-new">
        {list([empty('email'), empty('sms')])}
        <h3>Ready to use, in English and Spanish</h3>
        {list(starters)}
      </div>
    </Dialog>
  )
}
