import { Dialog } from '../ui/Dialog.tsx'
import { shortcuts } from './shortcuts.ts'
import './keyboard.css'

export const KeyboardMap = ({ open, onClose }: { open: boolean; onClose: () => void }) => (
  <Dialog open={open} onClose={onClose} title="Keyboard" size="s">
    <dl className="keys">
      {shortcuts.map(({ keys, label }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            {keys.map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  </Dialog>
)
