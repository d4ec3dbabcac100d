import base, { type Toast } from 'react-hot-toast'
import type { ToastBox } from './toast.tsx'

const undoMs = 8_000

const Undo = ({ id, message, onUndo }: { id: string; message: string; onUndo: () => unknown }) => (
  <span className="ui-toast__undo">
    <span>{message}</span>
    <button
      type="button"
      onClick={() => {
        base.dismiss(id)
        void onUndo()
      }}
    >
      Undo
    </button>
  </span>
)

/** What shows news in the corner. The same words stand there once, however often they are said. */
export const toastBox: ToastBox = {
  success: (message) => void base.success(message, { id: message }),
  error: (message) => void base.error(message, { id: message }),
  message: (message) => void base(message, { id: message }),
  undo: (message, onUndo, about) =>
    void base.success((shown: Toast) => <Undo id={shown.id} message={message} onUndo={onUndo} />, {
      duration: undoMs,
      ...(about ? { id: about } : {}),
    }),
  dismiss: (id) => base.dismiss(id),
}
