import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'

type Props = { pins: readonly { id: string; name: string }[]; onChoose: (id: string) => void; onClose: () => void }

/** Who is at one spot of the map, to open one of them. */
export const StackDialog = ({ pins, onChoose, onClose }: Props) => (
  <Dialog open onClose={onClose} size="s" title={`${pins.length.toLocaleString('en-US')} customers at one place`}>
    <ul className="stack-list">
      {pins.map(({ id, name }) => (
        <li key={id}>
          <Button kind="quiet" wide onClick={() => onChoose(id)}>
            {name}
          </Button>
        </li>
      ))}
    </ul>
  </Dialog>
)
