class Castellan < Formula
  desc "UCI chess engine with a board in the browser"
  url "file://#{Dir.pwd}/castellan-1.0.0.tar.gz"
  license "GPL-3.0-or-later"
  depends_on "rust" => :build

  def install
    system "make", "install", "PREFIX=#{prefix}"
  end

  test do
    assert_match "bestmove", pipe_output("#{bin}/castellan", "go depth 1\n")
  end
end
