import { cleanup, configure } from '@testing-library/react'
import toast from 'react-hot-toast'
import { afterAll, afterEach } from 'vitest'

// a busy machine is no fault: what is waited for ends the wait
configure({ asyncUtilTimeout: 10_000 })
afterEach(() => {
  cleanup()
  // what one test said stands in the next one's corner otherwise: toasts live beside the screens
  toast.remove()
})
// the files of a worker share one page: what a page without React left in it is found by the next file's queries
afterAll(() => document.body.replaceChildren())
