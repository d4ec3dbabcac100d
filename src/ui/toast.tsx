import base, { type Toast } from 'react-hot-toast'
import { ApiError } from '#src/shared/client.ts'
import './toast.css'

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

/** Short news that needs no answer, the same words once however often they are said. What must be put right stays on the screen instead (Banner, field error). */
export const toast = {
  /** 2 s. */
  success: (message: string) => base.success(message, { id: message }),
  /** 4 s. Takes an error as it was caught. */
  error: (problem: unknown) => {
    const message =
      typeof problem === 'string'
        ? problem
        : problem instanceof ApiError
          ? problem.message
          : 'Something went wrong. Nothing was lost; please try again.'
    return base.error(message, { id: message })
  },
  message: (message: string) => base(message, { id: message }),
  /** 8 s to take it back, once. News `about` the same thing takes the place of what was said of it before. */
  undo: (message: string, onUndo: () => unknown, about?: string) => {
    let taken = false
    const once = () => {
      if (taken) return
      taken = true
      return onUndo()
    }
    return base.success((shown: Toast) => <Undo id={shown.id} message={message} onUndo={once} />, {
      duration: undoMs,
      ...(about ? { id: about } : {}),
    })
  },
  dismiss: (id?: string) => base.dismiss(id),
}
